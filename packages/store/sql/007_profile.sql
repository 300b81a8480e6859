-- Stacks are the folded text of core/profile, deflated.
CREATE TABLE profile (
  profile_key  INTEGER PRIMARY KEY,
  step_key     INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client       INTEGER NOT NULL,
  role         TEXT NOT NULL,
  event        TEXT NOT NULL,
  call_graph   TEXT NOT NULL,
  frequency_hz INTEGER NOT NULL,
  from_s       REAL NOT NULL,
  to_s         REAL NOT NULL,
  samples      INTEGER NOT NULL,
  stacks       BLOB NOT NULL,
  UNIQUE (step_key, client, role)
);

CREATE VIEW profiles AS
SELECT run.run_id, step.step, p.client, p.role, p.event, p.call_graph, p.frequency_hz, p.from_s, p.to_s, p.samples,
  p.samples / (p.frequency_hz * (p.to_s - p.from_s)) AS on_cpu
FROM run JOIN step USING (run_key) JOIN profile p USING (step_key);
