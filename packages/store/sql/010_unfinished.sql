-- A statement that was not answered when its step ended is in no count, but may be the slowest, be it the only one.
DROP VIEW per_second;
CREATE VIEW per_second AS
SELECT run.run_id, step.step, s.client, s.kind, s.second, s.ops, s.rows,
  CASE WHEN s.ops > 0 OR s.max_us > 0 THEN s.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN second s USING (step_key);

DROP VIEW response_percentiles;
CREATE VIEW response_percentiles AS
SELECT run.run_id, step.step, t.client, t.kind, t.clock, t.count, t.p50, t.p90, t.p95, t.p99, t.p999, t.p9999,
  CASE WHEN t.count > 0 OR t.max_us > 0 THEN t.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN step_times t USING (step_key)
WHERE step.status = 'done';

DROP VIEW decimal_histogram;
CREATE VIEW decimal_histogram AS
SELECT run.run_id, step.step, t.client, t.kind, t.clock, t.count, t.le_256us, t.le_1ms, t.le_4ms, t.le_16ms,
  t.le_64ms, t.le_256ms, t.le_1s, t.le_4s, t.le_16s, t.gt_16s,
  CASE WHEN t.count > 0 OR t.max_us > 0 THEN t.max_us END AS max_us
FROM run JOIN step USING (run_key) JOIN step_times t USING (step_key)
WHERE step.status = 'done';
