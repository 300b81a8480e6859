/** What the columns of the metrics mean, for whoever meets them the first time. */
const METRICS: Readonly<Record<string, string>> = {
  ips: 'Rows inserted per second; in l.x rows indexed per second',
  qps: 'Queries per second',
  rps: 'Reads per second from the devices of data and WAL',
  rmbps: 'MB read per second (1 MB = 1024 kB)',
  wps: 'Writes per second to the devices of data and WAL',
  wmbps: 'MB written per second',
  rpq: 'Reads per operation: per insert in l.*, per query in q*',
  rkbpq: 'kB read per operation',
  wpi: 'Writes per row inserted',
  wkbpi: 'kB written per row inserted',
  csps: 'Context switches per second',
  cpups: 'User + system CPU, per cent of the whole machine',
  cspq: 'Context switches per operation',
  cpupq: 'CPU time of the whole machine per operation, microseconds',
  dbgb1: 'Size of the database as the server reports it, GB',
  dbgb2: 'Size of the data directory, GB',
  rss: 'Resident memory of the server, GB',
  maxop: 'Slowest response in seconds: inserts in l.*, queries in q*',
  p50: 'Rate that half of the seconds reach',
  p99: 'Rate that 99% of the seconds reach: nearly the slowest second',
};

const DETAILS: Readonly<Record<string, string>> = {
  seconds: 'Length of the measured window, seconds',
  cpupq:
    'CPU time of the whole machine per operation, microseconds; the sum of the four parts after it',
  fgcpupq: 'Part spent by the server processes of the connections, or that build the indexes',
  fgcpupq_insert: 'Of these: processes of the insert connections',
  fgcpupq_delete: 'Of these: processes of the delete connections',
  fgcpupq_query: 'Of these: processes of the query connections',
  bgcpupq: 'Part spent by all other processes of the server: checkpointer, WAL writer, autovacuum',
  clcpupq: 'Part spent by the load generator',
  otcpupq: 'The rest: other processes of the host; what is left over, so it can be below zero',
  iowait_pct: 'Waiting for I/O, per cent of the whole machine',
  steal_pct: 'Taken by the hypervisor, per cent of the whole machine',
  fsyncs_per_s: 'Flushes that reached the devices, per second',
  fsyncs_per_insert: 'The same per row inserted',
  r_await: 'Mean time of a read, ms',
  w_await: 'Mean time of a write, ms',
  f_await: 'Mean time of a flush, ms',
  wal_bytes_per_insert: 'Bytes of WAL per row inserted',
  full_page_images_per_insert: 'Full page images in the WAL per row inserted',
  dps: 'Rows deleted per second',
  rows_per_query: 'Rows fetched per query; far from 10 means a broken run',
  server_wait_pct: 'Share of its time that the worker which sets the pace waited for the server, %',
};

const FAIRNESS: Readonly<Record<string, string>> = {
  min_rate: 'Rate of the slowest client until its end',
  max_rate: 'Rate of the fastest client until its end',
  client_rate_ratio: 'Slowest / fastest: 1 is fair',
  first_finish_s: 'When the first client finished, seconds',
  last_finish_s: 'When the last client finished, seconds',
  all_active_rate: 'Rate while all clients were active',
};

const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  metrics: METRICS,
  details: DETAILS,
  fairness: FAIRNESS,
};

/** The meaning of a column of this table; undefined where its heading says it. */
export function columnMeaning(table: string, column: string): string | undefined {
  return TABLES[table]?.[column];
}
