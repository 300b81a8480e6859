-- Whether something was found that makes the numbers of a step worthless, beside them.
DROP VIEW metrics;
CREATE VIEW metrics AS
SELECT run.run_id, run.tag, run.build, run.config, run.workload, run.repeat, step.step, step.seq, step.status,
  m.seconds, m.target_ips, m.sla_ok, m.ips, m.dps, m.qps, m.rps, m.rmbps, m.wps, m.wmbps, m.rpq, m.rkbpq,
  m.wpi, m.wkbpi, m.csps, m.cpups, m.cspq, m.cpupq, m.dbgb1, m.dbgb2, m.rss, m.maxop, m.p50, m.p99,
  m.rows_inserted, m.rows_deleted, m.queries, m.rows_per_query,
  m.fgcpupq, m.fgcpupq_insert, m.fgcpupq_delete, m.fgcpupq_query, m.bgcpupq, m.clcpupq, m.otcpupq,
  m.fsyncs_per_s, m.fsyncs_per_insert, m.r_await, m.w_await, m.f_await, m.iowait_pct, m.steal_pct,
  m.wal_bytes_per_insert, m.full_page_images_per_insert,
  m.server_wait_share, m.client_bound, m.client_rate_ratio, m.all_active_rate,
  CASE step.status WHEN 'done' THEN EXISTS (
    SELECT * FROM step_audit a WHERE a.step_key = step.step_key AND a.verdict = 'invalid') END AS invalid
FROM run JOIN step USING (run_key)
LEFT JOIN step_metrics m ON m.step_key = step.step_key AND step.status = 'done';
