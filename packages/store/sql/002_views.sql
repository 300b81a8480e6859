-- The interface for people who query the file: docs/STORE.md describes every column, and a test compares.
-- Columns may be added at the end; names and meanings stay. Summaries show done steps only.

CREATE VIEW runs AS
SELECT run_id, tag, build, config, workload, repeat, clients, status, message, started_at, finished_at,
  directory, seed, tool_version, command_line, config_sha256, config_text
FROM run;

CREATE VIEW steps AS
SELECT run.run_id, run.tag, step.step, step.seq, step.kind, step.status, step.message, step.sqlstate,
  step.started_at, step.finished_at
FROM run JOIN step USING (run_key);

CREATE VIEW metrics AS
SELECT run.run_id, run.tag, run.build, run.config, run.workload, run.repeat, step.step, step.seq, step.status,
  m.seconds, m.target_ips, m.sla_ok, m.ips, m.dps, m.qps, m.rps, m.rmbps, m.wps, m.wmbps, m.rpq, m.rkbpq,
  m.wpi, m.wkbpi, m.csps, m.cpups, m.cspq, m.cpupq, m.dbgb1, m.dbgb2, m.rss, m.maxop, m.p50, m.p99,
  m.rows_inserted, m.rows_deleted, m.queries, m.rows_per_query,
  m.fgcpupq, m.fgcpupq_insert, m.fgcpupq_delete, m.fgcpupq_query, m.bgcpupq, m.clcpupq, m.otcpupq,
  m.fsyncs_per_s, m.fsyncs_per_insert, m.r_await, m.w_await, m.f_await, m.iowait_pct, m.steal_pct,
  m.wal_bytes_per_insert, m.full_page_images_per_insert
FROM run JOIN step USING (run_key)
LEFT JOIN step_metrics m ON m.step_key = step.step_key AND step.status = 'done';

CREATE VIEW step_results AS
SELECT run.run_id, step.step, r.rows_indexed, r.database_bytes, r.data_directory_bytes, r.resident_bytes,
  r.wal_bytes, r.full_page_images, r.cpu_insert_backends_s, r.cpu_delete_backends_s, r.cpu_query_backends_s,
  r.cpu_maintenance_backend_s, r.cpu_background_s, r.cpu_load_generator_s
FROM run JOIN step USING (run_key) JOIN step_result r USING (step_key)
WHERE step.status = 'done';

CREATE VIEW per_second AS
SELECT run.run_id, step.step, s.client, s.kind, s.second, s.ops, s.rows,
  CASE WHEN s.ops > 0 THEN s.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN second s USING (step_key);

-- Grouped by the very columns shown, so that a condition on them reaches the tables.
CREATE VIEW response_times AS
SELECT run.run_id, step.step, w.client, w.role AS kind, t.clock, h.upper_us, sum(h.count) AS count
FROM run JOIN step USING (run_key) JOIN worker w USING (step_key) JOIN worker_times t USING (worker_key)
  JOIN histogram_bucket h USING (times_key)
WHERE step.status = 'done'
GROUP BY run.run_id, step.step, w.client, w.role, t.clock, h.upper_us;

CREATE VIEW response_percentiles AS
SELECT run.run_id, step.step, t.client, t.kind, t.clock, t.count, t.p50, t.p90, t.p95, t.p99, t.p999, t.p9999,
  CASE WHEN t.count > 0 THEN t.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN step_times t USING (step_key)
WHERE step.status = 'done';

CREATE VIEW decimal_histogram AS
SELECT run.run_id, step.step, t.client, t.kind, t.clock, t.count, t.le_256us, t.le_1ms, t.le_4ms, t.le_16ms,
  t.le_64ms, t.le_256ms, t.le_1s, t.le_4s, t.le_16s, t.gt_16s,
  CASE WHEN t.count > 0 THEN t.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN step_times t USING (step_key)
WHERE step.status = 'done';

CREATE VIEW workers AS
SELECT run.run_id, step.step, step.status, w.client, w.role, w.pid, w.backend_pid, w.finished_s, w.operations,
  w.rows, w.retries, w.errors, w.cpu_user_s, w.cpu_system_s, w.backend_cpu_user_s, w.backend_cpu_system_s,
  w.wait_server_s, w.generate_s, w.wait_queue_s, w.resync, w.resync_count,
  w.resync_total_us / nullif(w.resync_count, 0) / 1e6 AS resync_mean_s,
  CASE WHEN w.resync_count > 0 THEN w.resync_max_us / 1e6 END AS resync_max_s
FROM run JOIN step USING (run_key) JOIN worker w USING (step_key);

CREATE VIEW os_samples AS
SELECT run.run_id, step.step, v.second, i.device,
  v.r, v.b, v.swpd, v.free, v.buff, v.cache, v.si, v.so, v.bi, v.bo, v.interrupts, v.cs, v.us, v.sy, v.idle,
  v.wa, v.st, v.gu,
  i.reads_per_s, i.read_kb_per_s, i.read_await_ms, i.writes_per_s, i.write_kb_per_s, i.write_await_ms,
  i.discards_per_s, i.discard_kb_per_s, i.discard_await_ms, i.flushes_per_s, i.flush_await_ms, i.queue_size,
  i.util_pct
FROM run JOIN step USING (run_key) JOIN vm_sample v USING (step_key)
LEFT JOIN io_sample i ON i.step_key = v.step_key AND i.second = v.second;

CREATE VIEW os_counters AS
SELECT run.run_id, step.step, step.status, c.moment, c.at_s, c.cpus, c.context_switches, c.user_s, c.nice_s,
  c.system_s, c.idle_s, c.iowait_s, c.irq_s, c.softirq_s, c.steal_s
FROM run JOIN step USING (run_key) JOIN os_counter c USING (step_key);

CREATE VIEW disk_counters AS
SELECT run.run_id, step.step, step.status, d.moment, d.device, d.reads, d.read_sectors, d.read_ms, d.writes,
  d.write_sectors, d.write_ms, d.flushes, d.flush_ms
FROM run JOIN step USING (run_key) JOIN disk_counter d USING (step_key);

CREATE VIEW table_rows AS
SELECT run.run_id, step.step, step.status, c.table_name, c.rows_before, c.rows_after
FROM run JOIN step USING (run_key) JOIN table_count c USING (step_key);

CREATE VIEW warnings AS
SELECT run.run_id, step.step, w.text
FROM run JOIN step USING (run_key) JOIN warning w USING (step_key);

CREATE VIEW query_plans AS
SELECT run.run_id, step.step, p.statement, p.plan
FROM run JOIN step USING (run_key) JOIN query_plan p USING (step_key);

CREATE VIEW settings AS
SELECT run.run_id, s.name, s.requested, s.actual, s.unit, s.source
FROM run JOIN setting s USING (run_key);

CREATE VIEW workload_parameters AS
SELECT run.run_id, f.name, f.value
FROM run JOIN run_fact f USING (run_key)
WHERE f.category = 'workload';

CREATE VIEW host_facts AS
SELECT run.run_id, f.name, f.value
FROM run JOIN run_fact f USING (run_key)
WHERE f.category = 'host';

CREATE VIEW build_facts AS
SELECT run.run_id, f.name, f.value
FROM run JOIN run_fact f USING (run_key)
WHERE f.category = 'build';

CREATE VIEW client_facts AS
SELECT run.run_id, f.name, f.value
FROM run JOIN run_fact f USING (run_key)
WHERE f.category = 'client';
