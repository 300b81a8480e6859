-- The 10 seconds of a step in which the background inserts fell behind most; NULL in steps from before this.
ALTER TABLE step_sla ADD COLUMN worst_window_share REAL;

DROP VIEW sla;
CREATE VIEW sla AS
SELECT run.run_id, step.step, s.client, s.average, s.below_share, s.longest_deficit_s, s.largest_backlog_rows,
  s.worst_window_share
FROM run JOIN step USING (run_key) JOIN step_sla s USING (step_key)
WHERE step.status = 'done';
