-- Tables of the store. They may change with any migration; the views of 002_views.sql are the interface.
--
-- No STRICT tables and no generated columns: the sqlite3 of long-lived distributions (before 3.37) must
-- be able to open the file. A column without a type keeps what was bound to it.

CREATE TABLE run (
  run_key       INTEGER PRIMARY KEY,
  run_id        TEXT NOT NULL UNIQUE,
  tag           TEXT NOT NULL,
  build         TEXT NOT NULL,
  config        TEXT NOT NULL,
  workload      TEXT NOT NULL,
  repeat        INTEGER NOT NULL,
  clients       INTEGER NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted', 'crashed')),
  message       TEXT,
  started_at    TEXT NOT NULL,
  finished_at   TEXT,
  directory     TEXT NOT NULL,
  runner_pid    INTEGER NOT NULL,
  runner_start  TEXT NOT NULL,
  seed          INTEGER NOT NULL,
  tool_version  TEXT NOT NULL,
  command_line  TEXT NOT NULL,
  config_text   TEXT,
  config_sha256 TEXT,
  UNIQUE (build, config, workload, tag, repeat)
);

-- What is known about a run by name: host, build, workload parameters, client.
CREATE TABLE run_fact (
  run_key  INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  category TEXT NOT NULL,
  name     TEXT NOT NULL,
  value,
  PRIMARY KEY (run_key, category, name)
) WITHOUT ROWID;

CREATE TABLE setting (
  run_key   INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  name      TEXT NOT NULL,
  requested TEXT,
  actual    TEXT,
  unit      TEXT,
  source    TEXT,
  PRIMARY KEY (run_key, name)
) WITHOUT ROWID;

CREATE TABLE step (
  step_key    INTEGER PRIMARY KEY,
  run_key     INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  seq         INTEGER NOT NULL,
  step        TEXT NOT NULL,
  kind        TEXT NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted', 'crashed')),
  message     TEXT,
  sqlstate    TEXT,
  started_at  TEXT NOT NULL,
  finished_at TEXT,
  UNIQUE (run_key, step),
  UNIQUE (run_key, seq)
);

-- Raw figures of a step that is done; step_metrics is computed from them.
CREATE TABLE step_result (
  step_key                  INTEGER PRIMARY KEY REFERENCES step ON DELETE CASCADE,
  rows_indexed              INTEGER NOT NULL,
  database_bytes            INTEGER,
  data_directory_bytes      INTEGER,
  resident_bytes            INTEGER,
  wal_bytes                 INTEGER,
  full_page_images          INTEGER,
  cpu_insert_backends_s     REAL,
  cpu_delete_backends_s     REAL,
  cpu_query_backends_s      REAL,
  cpu_maintenance_backend_s REAL,
  cpu_background_s          REAL,
  cpu_load_generator_s      REAL
);

CREATE TABLE step_metrics (
  step_key                    INTEGER PRIMARY KEY REFERENCES step ON DELETE CASCADE,
  seconds                     REAL NOT NULL,
  target_ips                  REAL,
  sla_ok                      INTEGER,
  ips                         REAL,
  dps                         REAL,
  qps                         REAL,
  rps                         REAL,
  rmbps                       REAL,
  wps                         REAL,
  wmbps                       REAL,
  rpq                         REAL,
  rkbpq                       REAL,
  wpi                         REAL,
  wkbpi                       REAL,
  csps                        REAL,
  cpups                       REAL,
  cspq                        REAL,
  cpupq                       REAL,
  dbgb1                       REAL,
  dbgb2                       REAL,
  rss                         REAL,
  maxop                       REAL,
  p50                         REAL,
  p99                         REAL,
  rows_inserted               INTEGER NOT NULL,
  rows_deleted                INTEGER NOT NULL,
  queries                     INTEGER NOT NULL,
  rows_per_query              REAL,
  fgcpupq                     REAL,
  fgcpupq_insert              REAL,
  fgcpupq_delete              REAL,
  fgcpupq_query               REAL,
  bgcpupq                     REAL,
  clcpupq                     REAL,
  otcpupq                     REAL,
  fsyncs_per_s                REAL,
  fsyncs_per_insert           REAL,
  r_await                     REAL,
  w_await                     REAL,
  f_await                     REAL,
  iowait_pct                  REAL,
  steal_pct                   REAL,
  wal_bytes_per_insert        REAL,
  full_page_images_per_insert REAL
);

CREATE TABLE worker (
  worker_key           INTEGER PRIMARY KEY,
  step_key             INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client               INTEGER NOT NULL,
  role                 TEXT NOT NULL,
  pid                  INTEGER NOT NULL,
  backend_pid          INTEGER,
  finished_s           REAL,
  operations           INTEGER NOT NULL,
  rows                 INTEGER NOT NULL,
  retries              INTEGER NOT NULL,
  errors               INTEGER NOT NULL,
  cpu_user_s           REAL,
  cpu_system_s         REAL,
  backend_cpu_user_s   REAL,
  backend_cpu_system_s REAL,
  wait_server_s        REAL NOT NULL,
  generate_s           REAL NOT NULL,
  wait_queue_s         REAL NOT NULL,
  resync               TEXT,
  resync_count         INTEGER,
  resync_total_us      REAL,
  resync_max_us        REAL,
  UNIQUE (step_key, client, role, pid)
);

-- Times of one worker by one clock, raw; kept for steps that failed too.
CREATE TABLE worker_times (
  times_key  INTEGER PRIMARY KEY,
  worker_key INTEGER NOT NULL REFERENCES worker ON DELETE CASCADE,
  clock      TEXT NOT NULL,
  count      INTEGER NOT NULL,
  sum_us     REAL NOT NULL,
  max_us     REAL NOT NULL,
  le_256us   INTEGER NOT NULL,
  le_1ms     INTEGER NOT NULL,
  le_4ms     INTEGER NOT NULL,
  le_16ms    INTEGER NOT NULL,
  le_64ms    INTEGER NOT NULL,
  le_256ms   INTEGER NOT NULL,
  le_1s      INTEGER NOT NULL,
  le_4s      INTEGER NOT NULL,
  le_16s     INTEGER NOT NULL,
  gt_16s     INTEGER NOT NULL,
  UNIQUE (worker_key, clock)
);

-- Log-linear histogram, buckets that are not empty. The bound is stored, not the index, so that a row
-- means the same whatever layout a later version uses.
CREATE TABLE histogram_bucket (
  times_key INTEGER NOT NULL REFERENCES worker_times ON DELETE CASCADE,
  upper_us  REAL NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (times_key, upper_us)
) WITHOUT ROWID;

-- Times of a step that is done, for each client and (client NULL) over all of them.
CREATE TABLE step_times (
  step_times_key INTEGER PRIMARY KEY,
  step_key       INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client         INTEGER,
  kind           TEXT NOT NULL,
  clock          TEXT NOT NULL,
  count          INTEGER NOT NULL,
  p50            REAL,
  p90            REAL,
  p95            REAL,
  p99            REAL,
  p999           REAL,
  p9999          REAL,
  max_us         REAL NOT NULL,
  le_256us       INTEGER NOT NULL,
  le_1ms         INTEGER NOT NULL,
  le_4ms         INTEGER NOT NULL,
  le_16ms        INTEGER NOT NULL,
  le_64ms        INTEGER NOT NULL,
  le_256ms       INTEGER NOT NULL,
  le_1s          INTEGER NOT NULL,
  le_4s          INTEGER NOT NULL,
  le_16s         INTEGER NOT NULL,
  gt_16s         INTEGER NOT NULL,
  UNIQUE (step_key, client, kind, clock)
);

-- Second first in the key: the rows of one second are written together, to one page instead of one each.
CREATE TABLE second (
  step_key INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  client   INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  second   INTEGER NOT NULL,
  ops      INTEGER NOT NULL,
  rows     INTEGER NOT NULL,
  max_us   REAL NOT NULL,
  PRIMARY KEY (step_key, second, client, kind)
) WITHOUT ROWID;

-- One row per OS sample, also where vmstat gave nothing: device rows join to it.
CREATE TABLE vm_sample (
  step_key   INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  second     INTEGER NOT NULL,
  r          REAL,
  b          REAL,
  swpd       REAL,
  free       REAL,
  buff       REAL,
  cache      REAL,
  si         REAL,
  so         REAL,
  bi         REAL,
  bo         REAL,
  interrupts REAL,
  cs         REAL,
  us         REAL,
  sy         REAL,
  idle       REAL,
  wa         REAL,
  st         REAL,
  gu         REAL,
  PRIMARY KEY (step_key, second)
) WITHOUT ROWID;

CREATE TABLE io_sample (
  step_key         INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  second           INTEGER NOT NULL,
  device           TEXT NOT NULL,
  reads_per_s      REAL,
  read_kb_per_s    REAL,
  read_await_ms    REAL,
  writes_per_s     REAL,
  write_kb_per_s   REAL,
  write_await_ms   REAL,
  discards_per_s   REAL,
  discard_kb_per_s REAL,
  discard_await_ms REAL,
  flushes_per_s    REAL,
  flush_await_ms   REAL,
  queue_size       REAL,
  util_pct         REAL,
  PRIMARY KEY (step_key, second, device)
) WITHOUT ROWID;

-- Kernel counters at the borders of a step; moment is 'start' or 'end'.
CREATE TABLE os_counter (
  step_key         INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  moment           TEXT NOT NULL,
  at_s             REAL NOT NULL,
  cpus             INTEGER NOT NULL,
  context_switches INTEGER NOT NULL,
  user_s           REAL NOT NULL,
  nice_s           REAL NOT NULL,
  system_s         REAL NOT NULL,
  idle_s           REAL NOT NULL,
  iowait_s         REAL NOT NULL,
  irq_s            REAL NOT NULL,
  softirq_s        REAL NOT NULL,
  steal_s          REAL NOT NULL,
  PRIMARY KEY (step_key, moment)
) WITHOUT ROWID;

CREATE TABLE disk_counter (
  step_key      INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  moment        TEXT NOT NULL,
  device        TEXT NOT NULL,
  reads         INTEGER NOT NULL,
  read_sectors  INTEGER NOT NULL,
  read_ms       INTEGER NOT NULL,
  writes        INTEGER NOT NULL,
  write_sectors INTEGER NOT NULL,
  write_ms      INTEGER NOT NULL,
  flushes       INTEGER,
  flush_ms      INTEGER,
  PRIMARY KEY (step_key, moment, device)
) WITHOUT ROWID;

CREATE TABLE table_count (
  step_key    INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  table_name  TEXT NOT NULL,
  rows_before INTEGER,
  rows_after  INTEGER,
  PRIMARY KEY (step_key, table_name)
) WITHOUT ROWID;

CREATE TABLE warning (
  warning_key INTEGER PRIMARY KEY,
  step_key    INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  text        TEXT NOT NULL,
  UNIQUE (step_key, text)
);

CREATE TABLE query_plan (
  step_key  INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
  statement TEXT NOT NULL,
  plan      TEXT NOT NULL,
  PRIMARY KEY (step_key, statement)
);
