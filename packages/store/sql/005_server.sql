-- What the server did: its statistics views at both borders of a step, and samples in between. Nothing of
-- it in steps from before this version.

-- One row per figure, whatever a version calls it and however many it has.
CREATE TABLE server_statistic (
  step_key INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  source   TEXT NOT NULL,
  object   TEXT NOT NULL,
  name     TEXT NOT NULL,
  before,
  after,
  delta,
  PRIMARY KEY (step_key, source, object, name)
) WITHOUT ROWID;

-- The figures that tables show, by one name for all versions; computed from server_statistic.
CREATE TABLE step_server (
  step_key              INTEGER PRIMARY KEY REFERENCES step ON DELETE CASCADE,
  checkpoints_timed     INTEGER,
  checkpoints_requested INTEGER,
  wal_bytes             INTEGER,
  full_page_images      INTEGER,
  buffers_checkpointer  INTEGER,
  buffers_bgwriter      INTEGER,
  buffers_backends      INTEGER,
  heap_blocks_read      INTEGER,
  heap_blocks_hit       INTEGER,
  index_blocks_read     INTEGER,
  index_blocks_hit      INTEGER,
  temp_files            INTEGER,
  temp_bytes            INTEGER,
  vacuums               INTEGER,
  autovacuums           INTEGER,
  analyzes              INTEGER,
  autoanalyzes          INTEGER,
  live_tuples           INTEGER,
  dead_tuples           INTEGER,
  dead_share            REAL,
  table_bytes           INTEGER,
  index_bytes           INTEGER,
  checkpoint_cycles     REAL,
  checkpoint_cycle_s    REAL,
  autovacuum_cycles     REAL,
  autovacuum_cycle_s    REAL
);

-- moment is 'opening' or 'closing'.
CREATE TABLE step_debt (
  step_key             INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  moment               TEXT NOT NULL,
  live_tuples          INTEGER,
  dead_tuples          INTEGER,
  dead_share           REAL,
  all_visible_share    REAL,
  wal_since_redo_bytes INTEGER,
  dirty_buffers        INTEGER,
  oldest_xmin_age      INTEGER,
  vacuums_running      INTEGER,
  PRIMARY KEY (step_key, moment)
) WITHOUT ROWID;

-- Seconds in which the server was sampled: what the sums of wait_second are divided by.
CREATE TABLE server_second (
  step_key  INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  second    INTEGER NOT NULL,
  samples   INTEGER NOT NULL,
  covered_s REAL NOT NULL,
  PRIMARY KEY (step_key, second)
) WITHOUT ROWID;

CREATE TABLE wait_second (
  step_key   INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  second     INTEGER NOT NULL,
  role       TEXT NOT NULL,
  wait_type  TEXT NOT NULL,
  wait_event TEXT NOT NULL,
  sessions   INTEGER NOT NULL,
  PRIMARY KEY (step_key, second, role, wait_type, wait_event)
) WITHOUT ROWID;

CREATE TABLE server_series (
  step_key INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  second   INTEGER NOT NULL,
  name     TEXT NOT NULL,
  object   TEXT NOT NULL,
  value    REAL NOT NULL,
  PRIMARY KEY (step_key, second, name, object)
) WITHOUT ROWID;

CREATE TABLE sampling_cost (
  step_key      INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  what          TEXT NOT NULL,
  samples       INTEGER NOT NULL,
  missed        INTEGER NOT NULL,
  total_s       REAL NOT NULL,
  max_s         REAL NOT NULL,
  backend_cpu_s REAL,
  PRIMARY KEY (step_key, what)
) WITHOUT ROWID;

CREATE VIEW server_statistics AS
SELECT run.run_id, step.step, step.status, s.source, s.object, s.name, s.before, s.after, s.delta,
  s.delta / m.seconds AS per_s,
  1.0 * s.delta / nullif(CASE
    WHEN m.qps IS NOT NULL THEN m.queries
    WHEN step.kind = 'index' THEN r.rows_indexed
    ELSE m.rows_inserted END, 0) AS per_op
FROM run JOIN step USING (run_key) JOIN server_statistic s USING (step_key)
LEFT JOIN step_metrics m ON m.step_key = step.step_key AND step.status = 'done'
LEFT JOIN step_result r ON r.step_key = step.step_key AND step.status = 'done';

CREATE VIEW server_activity AS
SELECT run.run_id, run.tag, step.step, step.seq, s.checkpoints_timed, s.checkpoints_requested, s.wal_bytes,
  s.full_page_images, s.buffers_checkpointer, s.buffers_bgwriter, s.buffers_backends, s.heap_blocks_read,
  s.heap_blocks_hit, s.index_blocks_read, s.index_blocks_hit, s.temp_files, s.temp_bytes, s.vacuums,
  s.autovacuums, s.analyzes, s.autoanalyzes, s.live_tuples, s.dead_tuples, s.dead_share, s.table_bytes,
  s.index_bytes, s.checkpoint_cycles, s.checkpoint_cycle_s, s.autovacuum_cycles, s.autovacuum_cycle_s
FROM run JOIN step USING (run_key) JOIN step_server s USING (step_key)
WHERE step.status = 'done';

CREATE VIEW debt AS
SELECT run.run_id, run.tag, step.step, step.seq, d.moment, d.live_tuples, d.dead_tuples, d.dead_share,
  d.all_visible_share, d.wal_since_redo_bytes, d.dirty_buffers, d.oldest_xmin_age, d.vacuums_running
FROM run JOIN step USING (run_key) JOIN step_debt d USING (step_key)
WHERE step.status = 'done';

CREATE VIEW waits AS
SELECT run.run_id, step.step, w.role, w.wait_type, w.wait_event, sum(w.sessions) AS sessions,
  1.0 * sum(w.sessions)
    / (SELECT sum(s.samples) FROM server_second s WHERE s.step_key = step.step_key) AS active_sessions
FROM run JOIN step USING (run_key) JOIN wait_second w USING (step_key)
GROUP BY run.run_id, step.step, w.role, w.wait_type, w.wait_event;

CREATE VIEW waits_per_second AS
SELECT run.run_id, step.step, w.second, w.role, w.wait_type, w.wait_event, w.sessions, s.samples
FROM run JOIN step USING (run_key) JOIN wait_second w USING (step_key)
  JOIN server_second s ON s.step_key = w.step_key AND s.second = w.second;

CREATE VIEW server_series_per_second AS
SELECT run.run_id, step.step, v.second, v.name, v.object, v.value, s.covered_s
FROM run JOIN step USING (run_key) JOIN server_series v USING (step_key)
  LEFT JOIN server_second s ON s.step_key = v.step_key AND s.second = v.second;

CREATE VIEW sampling_costs AS
SELECT run.run_id, step.step, c.what, c.samples, c.missed, c.total_s, c.max_s, c.backend_cpu_s,
  c.backend_cpu_s / m.seconds AS cpu
FROM run JOIN step USING (run_key) JOIN sampling_cost c USING (step_key)
LEFT JOIN step_metrics m ON m.step_key = step.step_key AND step.status = 'done';
