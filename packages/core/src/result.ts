import type { Audit } from './audit/audit.ts';
import type { BackgroundSeconds } from './metrics/sla-seconds.ts';
import type { CpuSeconds, OsCounters } from './sample.ts';
import type { Debt, SamplingCost, ServerFigures, StatisticChange } from './server/index.ts';
import type { Role, StatementKind } from './step.ts';
import type { TimesResult } from './times.ts';

/** One second of one worker. Seconds without operations are rows too: a stall is a result. */
export interface SecondRow {
  readonly client: number;
  readonly kind: StatementKind;
  /** Whole seconds since the step started; an operation counts in the second in which it completed. */
  readonly second: number;
  readonly ops: number;
  readonly rows: number;
  /** Slowest (service time) that completed in it, or that the end of the step cut off in it, microseconds; 0: none. */
  readonly maxUs: number;
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
