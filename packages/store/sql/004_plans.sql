-- Plans: what is to be run in which order, and which runs came of it; runs that start from the data of another.

CREATE TABLE plan (
  plan_key     INTEGER PRIMARY KEY,
  name         TEXT NOT NULL,
  -- 1, and one more each time that the plan was begun anew.
  edition      INTEGER NOT NULL,
  file         TEXT NOT NULL,
  file_text    TEXT NOT NULL,
  file_sha256  TEXT NOT NULL,
  run_order    TEXT NOT NULL,
  seed         INTEGER NOT NULL,
  options      TEXT NOT NULL,
  status       TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'stopped', 'interrupted', 'crashed')),
  message      TEXT,
  started_at   TEXT NOT NULL,
  finished_at  TEXT,
  runner_pid   INTEGER NOT NULL,
  runner_start TEXT NOT NULL,
  UNIQUE (name, edition)
);

-- One run that a plan asks for. Its attempts are the rows of run that point here: how it went is theirs to
-- say, so that nothing can disagree after a crash. reason is why there is no attempt.
CREATE TABLE plan_run (
  plan_run_key    INTEGER PRIMARY KEY,
  plan_key        INTEGER NOT NULL REFERENCES plan ON DELETE CASCADE,
  ordinal         INTEGER NOT NULL,
  build           TEXT NOT NULL,
  config          TEXT NOT NULL,
  workload        TEXT NOT NULL,
  tag             TEXT NOT NULL,
  repeat          INTEGER NOT NULL,
  overrides       TEXT NOT NULL,
  build_sha256    TEXT NOT NULL,
  config_sha256   TEXT NOT NULL,
  workload_sha256 TEXT NOT NULL,
  reason          TEXT,
  UNIQUE (plan_key, ordinal)
);

-- What makes a run unique among those of its build, config, workload and tag is its serial number; the
-- repeat is what the plan says, and a run that is done again has the same repeat and the next attempt.
ALTER TABLE run RENAME COLUMN repeat TO serial;
ALTER TABLE run ADD COLUMN repeat INTEGER NOT NULL DEFAULT 0;
UPDATE run SET repeat = serial;
ALTER TABLE run ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;
ALTER TABLE run ADD COLUMN plan_run_key INTEGER REFERENCES plan_run;
CREATE INDEX run_of_plan ON run (plan_run_key);

CREATE TABLE run_warning (
  run_key INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  text    TEXT NOT NULL,
  PRIMARY KEY (run_key, text)
) WITHOUT ROWID;

-- A run whose steps after after_seq ran on a copy of the data that from_run_key had made by then; that can
-- be the run itself.
CREATE TABLE run_branch (
  run_key      INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  after_seq    INTEGER NOT NULL,
  from_run_key INTEGER NOT NULL REFERENCES run,
  data_sha256  TEXT NOT NULL,
  data_bytes   INTEGER NOT NULL
);

DROP VIEW runs;
CREATE VIEW runs AS
SELECT run_id, tag, build, config, workload, repeat, clients, status, message, started_at, finished_at,
  directory, seed, tool_version, command_line, config_sha256, config_text, attempt,
  (SELECT plan.name FROM plan_run JOIN plan USING (plan_key) WHERE plan_run.plan_run_key = run.plan_run_key) AS plan
FROM run;

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

-- Steps that a run inherited are listed with it, but have no figures there: those are with the run that ran them.
DROP VIEW steps;
CREATE VIEW steps AS
SELECT run.run_id, run.tag, step.step, step.seq, step.kind, step.status, step.message, step.sqlstate,
  step.started_at, step.finished_at, NULL AS inherited_from
FROM run JOIN step USING (run_key)
UNION ALL
SELECT run.run_id, run.tag, step.step, step.seq, step.kind, 'inherited', NULL, NULL, NULL, NULL, source.run_id
FROM run JOIN run_branch b USING (run_key) JOIN run source ON source.run_key = b.from_run_key
  JOIN step ON step.run_key = b.from_run_key AND step.seq <= b.after_seq
WHERE b.from_run_key <> b.run_key;

DROP VIEW warnings;
CREATE VIEW warnings AS
SELECT run.run_id, step.step, w.text
FROM run JOIN step USING (run_key) JOIN warning w USING (step_key)
UNION ALL
SELECT run.run_id, NULL, w.text
FROM run JOIN run_warning w USING (run_key);

CREATE VIEW branches AS
SELECT run.run_id, step.step AS after_step, source.run_id AS from_run_id, b.data_sha256, b.data_bytes
FROM run JOIN run_branch b USING (run_key) JOIN run source ON source.run_key = b.from_run_key
  JOIN step ON step.run_key = b.from_run_key AND step.seq = b.after_seq;

CREATE VIEW plans AS
SELECT name AS plan, edition, status, message, started_at, finished_at, run_order, seed, options, file, file_sha256,
  file_text
FROM plan;

CREATE VIEW plan_runs AS
SELECT plan.name AS plan, plan.edition, p.ordinal, p.tag, p.build, p.config, p.workload, p.repeat, run.attempt,
  run.run_id, coalesce(run.status, 'planned') AS status, coalesce(run.message, p.reason) AS reason,
  run.started_at, run.finished_at, p.overrides, p.build_sha256, p.config_sha256, p.workload_sha256
FROM plan JOIN plan_run p USING (plan_key) LEFT JOIN run USING (plan_run_key);
