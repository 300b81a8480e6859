/**
 * Normalised metrics of one step (SPEC 4.3), by the names used in published reports.
 * null: not defined for this step, or not measured on this host. Never zero for absent.
 */
export interface StepMetrics {
  readonly seconds: number;
  readonly target_ips: number | null;
  readonly sla_ok: boolean | null;
  readonly ips: number | null;
  readonly dps: number | null;
  readonly qps: number | null;
  readonly rps: number | null;
  readonly rmbps: number | null;
  readonly wps: number | null;
  readonly wmbps: number | null;
  readonly rpq: number | null;
  readonly rkbpq: number | null;
  readonly wpi: number | null;
  readonly wkbpi: number | null;
  readonly csps: number | null;
  readonly cpups: number | null;
  readonly cspq: number | null;
  readonly cpupq: number | null;
  readonly dbgb1: number | null;
  readonly dbgb2: number | null;
  readonly rss: number | null;
  readonly maxop: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly rows_inserted: number;
  readonly rows_deleted: number;
  readonly queries: number;
  readonly rows_per_query: number | null;
  /** CPU of the backends of the insert, delete and query connections and of l.x, µs per op. */
  readonly fgcpupq: number | null;
  readonly fgcpupq_insert: number | null;
  readonly fgcpupq_delete: number | null;
  readonly fgcpupq_query: number | null;
  readonly bgcpupq: number | null;
  readonly clcpupq: number | null;
  readonly otcpupq: number | null;
  /** Flushes (fsync reaching the device) per second and per insert. */
  readonly fsyncs_per_s: number | null;
  readonly fsyncs_per_insert: number | null;
  readonly r_await: number | null;
  readonly w_await: number | null;
  readonly f_await: number | null;
  /** Shares of the whole machine, %. */
  readonly iowait_pct: number | null;
  readonly steal_pct: number | null;
  readonly wal_bytes_per_insert: number | null;
  readonly full_page_images_per_insert: number | null;
  /** Share (0..1) of its time that the worker which set the step's pace waited for the server. */
  readonly server_wait_share: number | null;
  /** Is that under 70%, so that the step says more about the load generator than about the server? */
  readonly client_bound: boolean | null;
  /** Smallest rate of a client / largest; rates as in ClientRate. */
  readonly client_rate_ratio: number | null;
  /** Rows inserted/s (l.*) or queries/s (q*) while all clients were active; see metrics/fairness.ts. */
  readonly all_active_rate: number | null;
}

/** Metric columns in the order of the published reports. */
export const PUBLISHED_COLUMNS = [
  'ips',
  'qps',
  'rps',
  'rmbps',
  'wps',
  'wmbps',
  'rpq',
  'rkbpq',
  'wpi',
  'wkbpi',
  'csps',
  'cpups',
  'cspq',
  'cpupq',
  'dbgb1',
  'dbgb2',
  'rss',
  'maxop',
  'p50',
  'p99',
] as const;
