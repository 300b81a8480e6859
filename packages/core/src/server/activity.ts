/** Sessions of one role that were active, by what they waited for, added up over the samples of one second. */
export interface WaitCount {
  /** `insert`, `delete`, `query`, `maintenance`, `other clients`, or the backend_type of a process of the server's own. */
  readonly role: string;
  /** `CPU` where the server says that it waits for nothing. */
  readonly waitType: string;
  readonly waitEvent: string;
  readonly sessions: number;
}

/** One value of a series of a step. */
export interface SeriesValue {
  /** `cpu_s`, `delete_planning_ms`, `getmin_count` …: see docs/STORE.md. */
  readonly name: string;
  /** Role or table that it is about. */
  readonly object: string;
  readonly value: number;
}

/** What was seen of the server in one second of a step. */
export interface ServerSecond {
  /** Whole seconds since the step started. */
  readonly second: number;
  /** Samples of pg_stat_activity. */
  readonly samples: number;
  /** Time that the CPU in `series` was used in, seconds. */
  readonly coveredS: number;
  readonly waits: readonly WaitCount[];
  readonly series: readonly SeriesValue[];
}

/** What one way of sampling cost in a step. */
export interface SamplingCost {
  readonly what: 'activity' | 'planning';
  readonly samples: number;
  /** Samples that the server did not answer, or not in time for the next. */
  readonly missed: number;
  /** From question to answer, over all samples. */
  readonly totalS: number;
  readonly maxS: number;
  /** CPU of its server process over the step; null: not read. */
  readonly backendCpuS: number | null;
}

/** Average active sessions of one role in a step. */
export interface RoleActivity {
  readonly role: string;
  /** Mean number of sessions that were active. */
  readonly active: number;
  /** By what they waited for, largest first. */
  readonly events: readonly {
    readonly waitType: string;
    readonly waitEvent: string;
    readonly active: number;
  }[];
  /** CPU seconds per second; null: not read. */
  readonly cpu: number | null;
}
