export { RunError, UsageError } from './errors.ts';
export {
  BUCKETS,
  bucketIndex,
  bucketUpperUs,
  DECIMAL_BOUNDS_S,
  DECIMAL_NAMES,
  decimalIndex,
  mergeSparse,
  PERCENTILES,
  percentileUs,
  sparseCounts,
  TICKS_PER_US,
} from './histogram.ts';
export type {
  Clock,
  CpuSplit,
  ResyncResult,
  RunIdentity,
  RunRecord,
  SecondRow,
  SizesResult,
  StepMetrics,
  StepRecord,
  StepResult,
  TableRows,
  TimesResult,
  TimesSummary,
  WalDelta,
  WorkerResult,
} from './result.ts';
export { CLOCKS, PUBLISHED_COLUMNS } from './result.ts';
export type {
  CpuSeconds,
  CpuTimes,
  DiskCounters,
  IoSample,
  OsCounters,
  OsSample,
  VmSample,
} from './sample.ts';
export type { Role, StatementKind, Status, StepKind } from './step.ts';
export { isQueryStep, ROLES, STATEMENT_KINDS, STATUSES, STEP_KINDS, STEP_NAMES } from './step.ts';
