-- What was checked of each step and run, and how steps with a target rate kept it second by second.

CREATE TABLE step_audit (
  step_key INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  name     TEXT NOT NULL,
  verdict  TEXT NOT NULL CHECK (verdict IN ('ok', 'warned', 'invalid')),
  value    REAL,
  bound    REAL,
  reason   TEXT NOT NULL,
  PRIMARY KEY (step_key, name)
) WITHOUT ROWID;

CREATE TABLE run_audit (
  run_key INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  name    TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('ok', 'warned', 'invalid')),
  value   REAL,
  bound   REAL,
  reason  TEXT NOT NULL,
  PRIMARY KEY (run_key, name)
) WITHOUT ROWID;

-- client NULL: all clients together.
CREATE TABLE step_sla (
  step_sla_key         INTEGER PRIMARY KEY,
  step_key             INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client               INTEGER,
  average              REAL NOT NULL,
  below_share          REAL NOT NULL,
  longest_deficit_s    INTEGER NOT NULL,
  largest_backlog_rows INTEGER NOT NULL,
  UNIQUE (step_key, client)
);

-- What the host did in a fixed piece of work; step_key is of the step that came next, NULL around the run.
CREATE TABLE canary (
  canary_key      INTEGER PRIMARY KEY,
  run_key         INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  step_key        INTEGER REFERENCES step ON DELETE CASCADE,
  moment          TEXT NOT NULL CHECK (moment IN ('before', 'step', 'after')),
  at              TEXT NOT NULL,
  place           TEXT NOT NULL,
  cpu_ms          REAL NOT NULL,
  memory_mb_per_s REAL NOT NULL,
  flush_us        REAL,
  write_us        REAL
);
CREATE INDEX canary_run ON canary (run_key);

CREATE VIEW audits AS
SELECT run.run_id, step.step, step.status, a.name, a.verdict, a.value, a.bound, a.reason
FROM run JOIN step USING (run_key) JOIN step_audit a USING (step_key)
UNION ALL
SELECT run.run_id, NULL, run.status, a.name, a.verdict, a.value, a.bound, a.reason
FROM run JOIN run_audit a USING (run_key);

CREATE VIEW sla AS
SELECT run.run_id, step.step, s.client, s.average, s.below_share, s.longest_deficit_s, s.largest_backlog_rows
FROM run JOIN step USING (run_key) JOIN step_sla s USING (step_key)
WHERE step.status = 'done';

CREATE VIEW canaries AS
SELECT run.run_id, step.step, c.moment, c.at, c.place, c.cpu_ms, c.memory_mb_per_s, c.flush_us, c.write_us
FROM run JOIN canary c USING (run_key) LEFT JOIN step USING (step_key);
