-- Is a step bound by its client, and were its clients treated alike? NULL in steps from before this version.

ALTER TABLE step_metrics ADD COLUMN server_wait_share REAL;
ALTER TABLE step_metrics ADD COLUMN client_bound INTEGER;
ALTER TABLE step_metrics ADD COLUMN client_rate_ratio REAL;
ALTER TABLE step_metrics ADD COLUMN all_active_rate REAL;

CREATE TABLE client_rate (
  step_key   INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client     INTEGER NOT NULL,
  finished_s REAL NOT NULL,
  rate       REAL,
  PRIMARY KEY (step_key, client)
) WITHOUT ROWID;

CREATE VIEW fairness AS
SELECT run.run_id, step.step, c.client, c.finished_s, c.rate
FROM run JOIN step USING (run_key) JOIN client_rate c USING (step_key)
WHERE step.status = 'done';

DROP VIEW metrics;
CREATE VIEW metrics AS
SELECT run.run_id, run.tag, run.build, run.config, run.workload, run.repeat, step.step, step.seq, step.status,
  m.seconds, m.target_ips, m.sla_ok, m.ips, m.dps, m.qps, m.rps, m.rmbps, m.wps, m.wmbps, m.rpq, m.rkbpq,
  m.wpi, m.wkbpi, m.csps, m.cpups, m.cspq, m.cpupq, m.dbgb1, m.dbgb2, m.rss, m.maxop, m.p50, m.p99,
  m.rows_inserted, m.rows_deleted, m.queries, m.rows_per_query,
  m.fgcpupq, m.fgcpupq_insert, m.fgcpupq_delete, m.fgcpupq_query, m.bgcpupq, m.clcpupq, m.otcpupq,
  m.fsyncs_per_s, m.fsyncs_per_insert, m.r_await, m.w_await, m.f_await, m.iowait_pct, m.steal_pct,
  m.wal_bytes_per_insert, m.full_page_images_per_insert,
  m.server_wait_share, m.client_bound, m.client_rate_ratio, m.all_active_rate
FROM run JOIN step USING (run_key)
LEFT JOIN step_metrics m ON m.step_key = step.step_key AND step.status = 'done';

-- Shares are of a worker's own time. The pacer does not record where its time goes, and a worker that
-- was broken off has no end: neither has shares.
DROP VIEW workers;
CREATE VIEW workers AS
SELECT run.run_id, step.step, step.status, w.client, w.role, w.pid, w.backend_pid, w.finished_s, w.operations,
  w.rows, w.retries, w.errors, w.cpu_user_s, w.cpu_system_s, w.backend_cpu_user_s, w.backend_cpu_system_s,
  w.wait_server_s, w.generate_s, w.wait_queue_s, w.resync, w.resync_count,
  w.resync_total_us / nullif(w.resync_count, 0) / 1e6 AS resync_mean_s,
  CASE WHEN w.resync_count > 0 THEN w.resync_max_us / 1e6 END AS resync_max_s,
  w.wait_server_s / w.timed_s AS wait_server_share,
  w.generate_s / w.timed_s AS generate_share,
  w.wait_queue_s / w.timed_s AS wait_queue_share,
  (w.timed_s - w.wait_server_s - w.generate_s - w.wait_queue_s) / w.timed_s AS other_share
FROM run JOIN step USING (run_key)
  JOIN (SELECT *, CASE WHEN role <> 'pace' THEN nullif(finished_s, 0) END AS timed_s FROM worker) w USING (step_key);
