export {
  type Audit,
  type AuditName,
  type AuditVerdict,
  type CanaryFigures,
  type Clocks,
  type CpuBounds,
  canaryAudit,
  clientBoundAudit,
  clockAudit,
  cpuAudits,
  deadlineAudit,
  isInvalid,
  runnerAudit,
  type StoppedProcess,
  samplesAudit,
  stoppedAudit,
  type WorkerEnd,
} from './audit/index.ts';
export {
  AREAS,
  type Area,
  AXES,
  type Axis,
  type ClassifiedDifference,
  COST_METRICS,
  type Comparability,
  type ComparedRun,
  type Cost,
  type CostChange,
  type CostMetric,
  canDiffer,
  compareRuns,
  type Difference,
  type DifferenceKind,
  explainingCosts,
  mannWhitney,
  type Observed,
  SIGNIFICANCE,
  settingText,
  type ValueOfRuns,
  valuesOf,
} from './compare/index.ts';
export { RunError, UsageError } from './errors.ts';
export type {
  Fact,
  OsColumn,
  OsSeries,
  Provenance,
  ServerSeries,
  SettingFact,
  StatementSeries,
  StepSeries,
  TimesHistogram,
  WaitSeries,
} from './evidence.ts';
export { OS_COLUMNS } from './evidence.ts';
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
export {
  BLOCK_BYTES,
  type BlockView,
  blockOffset,
  CONTROL,
  counter,
  MAX_CLIENTS,
  RING_SECONDS,
  SECOND_FIELDS,
  viewBlock,
} from './load/block.ts';
export { checkDriver, DRIVERS, type Driver } from './load/driver.ts';
export type {
  Connect,
  DeleteJob,
  Go,
  InsertJob,
  PaceJob,
  QueryJob,
  WorkerJob,
  WorkerMessage,
} from './load/job.ts';
export { FDS } from './load/job.ts';
export { type JobWorld, makeJobs } from './load/make-jobs.ts';
export { PIN_MODES, type Pin, type PinMode, type Place, placeOf } from './load/pin.ts';
export { QUEUE_STATEMENTS } from './load/queue-limit.ts';
export { checkPlan, type PlanReading } from './matrix/check-plan.ts';
export { estimateSpace, type SpaceEstimate } from './matrix/estimate-space.ts';
export {
  earlierRuns,
  estimateTime,
  type PastRun,
  type PastStep,
  type RunToEstimate,
  type TimeEstimate,
  type TimeOrigin,
  totalSeconds,
} from './matrix/estimate-time.ts';
export { expandPlan, planCells } from './matrix/expand-plan.ts';
export type {
  BranchPoint,
  BuildEntry,
  Cell,
  ConfigEntry,
  PlanAxes,
  PlanBase,
  PlanExclude,
  PlanFile,
  PlanHostBounds,
  PlannedRun,
  PlanOrder,
  PlanRunOptions,
  WorkloadEntry,
} from './matrix/plan-file.ts';
export type { PlanPath, PlanProblem } from './matrix/problem.ts';
export { parseDuration } from './matrix/units.ts';
export { changedName } from './matrix/variants.ts';
export {
  type BackgroundSeconds,
  type ClientRate,
  clientRates,
  decimalPercents,
  formatRelative,
  isClientBound,
  type Mark,
  maxColumnMarks,
  NO_VERDICT_BAND,
  osRates,
  PUBLISHED_COLUMNS,
  type RelativeVerdict,
  ratePercentile,
  relativeTo,
  relativeVerdict,
  type SlaFigures,
  type StepMetrics,
  slaFigures,
  slaMet,
  slaThreshold,
  stepMetrics,
  summariseTimes,
  summaryMarks,
} from './metrics/index.ts';
export type { QueryShape, StepPlan } from './plan.ts';
export { planSteps, rowsAfter, settleSeconds, tableNames, tableOf } from './plan.ts';
export {
  CALL_GRAPHS,
  type CallGraph,
  cutAt,
  type FoldedStacks,
  type Frame,
  foldedText,
  frameTree,
  fromMain,
  functionChanges,
  functionShares,
  isWindowDue,
  KERNEL_MARK,
  mergeStacks,
  PROFILE_BOUNDS,
  PROFILE_DEFAULTS,
  PROFILE_STEPS,
  PROFILERS,
  type ProfileChoice,
  type ProfileWindow,
  parseFolded,
  preOrder,
  type RunProfile,
  SCRIPT_FIELDS,
  ScriptFolder,
  type StepProfile,
  shareFromMain,
  totalSamples,
} from './profile/index.ts';
export {
  measuredBy,
  NO_RESULTS,
  type RunIdentity,
  type RunRecord,
  type ServerRecord,
  type StepRecord,
} from './record.ts';
export type {
  CpuSplit,
  ResyncResult,
  SecondRow,
  ServerResult,
  SizesResult,
  StepResult,
  TableRows,
  WalDelta,
  WorkerResult,
} from './result.ts';
export { rowsInStatement } from './rows-in-statement.ts';
export type {
  CpuSeconds,
  CpuTimes,
  DiskCounters,
  IoSample,
  OsCounters,
  OsSample,
  VmSample,
} from './sample.ts';
export {
  changesBetween,
  DEBT_FIGURES,
  type Debt,
  type DebtDifference,
  type DoneWork,
  debtDifferences,
  debtOf,
  doneBetween,
  type RoleActivity,
  type SamplingCost,
  type SeriesValue,
  type ServerFigures,
  type ServerReading,
  type ServerSecond,
  type Statistic,
  type StatisticChange,
  serverFigures,
  type WaitCount,
} from './server/index.ts';
export { shellWord } from './shell-word.ts';
export type { Role, StatementKind, Status, StepKind } from './step.ts';
export { isQueryStep, ROLES, STATEMENT_KINDS, STATUSES, STEP_KINDS, STEP_NAMES } from './step.ts';
export { brandTag, marksOf, plainTag, resolveTag } from './tag.ts';
export { CLOCKS, type Clock, type TimesResult, type TimesSummary } from './times.ts';
export type { Dialect, QueryText, TableOptions } from './workload/dialect.ts';
export { INSERT_METHODS, withPlaceholders } from './workload/dialect.ts';
export { postgresDialect } from './workload/postgres.ts';
export type { Workload } from './workload/workload.ts';
export {
  describeWorkload,
  nearest,
  parseWorkload,
  WORKLOAD_PARAMETERS,
} from './workload/workload.ts';
