import type { Audit } from './audit/audit.ts';
import type { BackgroundSeconds } from './metrics/sla-seconds.ts';
import type { CpuSeconds, OsCounters } from './sample.ts';
import type { Debt, SamplingCost, ServerFigures, StatisticChange } from './server/index.ts';
import type { Role, StatementKind } from './step.ts';

/** What identifies one run: all steps once on one (build, config, workload, repeat). */
export interface RunIdentity {
  /** Unique text, also the name of the run's folder. */
  readonly runId: string;
  /** Label in tables, `<build>.<config>` unless the user gave one. */
  readonly tag: string;
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  /** Which one of the runs of this build, config and workload, from 1; of a plan's runs, which in the plan. */
  readonly repeat: number;
  readonly clients: number;
}

/** One second of one worker. Seconds without operations are rows too: a stall is a result. */
export interface SecondRow {
  readonly client: number;
  readonly kind: StatementKind;
  /** Whole seconds since the step started; an operation counts in the second in which it completed. */
  readonly second: number;
  readonly ops: number;
  readonly rows: number;
  /** Slowest operation (service time) that completed in this second, microseconds; 0 without operations. */
  readonly maxUs: number;
}

/** service: from sending to the last byte of the answer. response: from when the statement was due. */
export const CLOCKS = ['service', 'response'] as const;
export type Clock = (typeof CLOCKS)[number];

/** Everything known about the times of one kind of statement by one clock. */
export interface TimesResult {
  readonly clock: Clock;
  readonly count: number;
  readonly maxUs: number;
  readonly sumUs: number;
  /** Exact counts of the ten decimal buckets (≤256us … >16s). */
  readonly decimal: readonly number[];
  /** Log-linear histogram, sparse: [bucket index, count]; see histogram.ts. */
  readonly buckets: readonly (readonly [index: number, count: number])[];
}

/** Queries a worker makes for its own needs (`getmin` of the deleter, `getmax` of the querier). */
export interface ResyncResult {
  readonly name: 'getmin' | 'getmax';
  readonly count: number;
  readonly totalUs: number;
  readonly maxUs: number;
}

/** What one worker process did in one step. */
export interface WorkerResult {
  readonly client: number;
  readonly role: Role;
  readonly pid: number;
  /** Process id of its server backend; null for the pacer. */
  readonly backendPid: number | null;
  /** When it finished, seconds since the step started; null: it did not. */
  readonly finishedS: number | null;
  readonly operations: number;
  readonly rows: number;
  /** Serialization failures (40001) and deadlocks (40P01) that were retried. */
  readonly retries: number;
  readonly errors: number;
  /** CPU of the worker process, exact, between the barrier and its end; null: it did not get there. */
  readonly cpu: CpuSeconds | null;
  /** CPU of its backend over the step; null where it could not be read. */
  readonly backendCpu: CpuSeconds | null;
  /** Where its time went, seconds. */
  readonly waitServerS: number;
  readonly generateS: number;
  readonly waitQueueS: number;
  readonly resync: ResyncResult | null;
  /** Empty for the pacer; response clock only for background statements. */
  readonly times: readonly TimesResult[];
}

/** CPU of the machine over a step by who spent it, seconds. */
export interface CpuSplit {
  readonly insertBackends: number;
  readonly deleteBackends: number;
  readonly queryBackends: number;
  /** The backend that builds indexes, vacuums and checkpoints for the runner (l.x, settle). */
  readonly maintenanceBackend: number;
  /** All other processes of the server. */
  readonly background: number;
  /** Worker processes, the runner and its samplers; null: they run on another host than the server. */
  readonly loadGenerator: number | null;
}

/** Sizes and memory at the end of a step, bytes; null where it could not be read. */
export interface SizesResult {
  readonly databaseBytes: number | null;
  readonly dataDirectoryBytes: number | null;
  readonly residentBytes: number | null;
}

/** Server-wide counters over a step; null where this server version has no such counter. */
export interface WalDelta {
  readonly walBytes: number | null;
  readonly fullPageImages: number | null;
}

/** Number of rows in one table. */
export interface TableRows {
  readonly table: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** What the server tells of a step, beside the series that are kept while it runs. */
export interface ServerResult {
  /** Every figure of its statistics views at both borders. */
  readonly changes: readonly StatisticChange[];
  readonly figures: ServerFigures;
  /** What the step inherited, and what it left. */
  readonly opening: Debt;
  readonly closing: Debt;
  readonly sampling: readonly SamplingCost[];
}

/** One step that ran to its end, raw: everything else is computed from this. */
export interface StepResult {
  /** Length of the measured window, seconds. */
  readonly seconds: number;
  /** Rows inserted per second that the step asked for, over all clients; null: as fast as possible. */
  readonly targetIps: number | null;
  readonly rowsIndexed: number;
  readonly workers: readonly WorkerResult[];
  /** Rows inserted (l.*) or queries (q*) in each whole second, summed over clients. */
  readonly perSecond: readonly number[];
  /** Background inserts by client; empty in steps without a target rate. */
  readonly background: readonly BackgroundSeconds[];
  /** Kernel counters when the step started and ended; null where there is no /proc. */
  readonly osBefore: OsCounters | null;
  readonly osAfter: OsCounters | null;
  readonly cpuSplit: CpuSplit | null;
  readonly sizes: SizesResult;
  readonly wal: WalDelta;
  readonly server: ServerResult | null;
  readonly tables: readonly TableRows[];
  readonly warnings: readonly string[];
  readonly audits: readonly Audit[];
}

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

/** Response or service times of one kind of statement over all clients of a step. */
export interface TimesSummary {
  readonly kind: StatementKind;
  readonly clock: Clock;
  readonly count: number;
  readonly maxUs: number;
  readonly decimal: readonly number[];
  /** Percentiles by their name (p50, p90, p95, p99, p99.9, p99.99), microseconds. */
  readonly percentiles: Readonly<Record<string, number>>;
}

/** How one client fared in a step. */
export interface ClientRate {
  readonly client: number;
  /** When the last of its inserters (l.*) or queriers (q*) finished, seconds since the step started. */
  readonly finishedS: number;
  /** Rows inserted/s (l.*) or queries/s (q*) until then. */
  readonly rate: number | null;
}
