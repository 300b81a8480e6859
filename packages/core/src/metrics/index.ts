export { isClientBound } from './client-bound.ts';
export type { Mark, SummaryCell } from './colours.ts';
export { maxColumnMarks, summaryMarks } from './colours.ts';
export type { StepMetrics } from './columns.ts';
export { PUBLISHED_COLUMNS } from './columns.ts';
export { decimalPercents } from './decimal-percent.ts';
export type { ClientRate } from './fairness.ts';
export { clientRates } from './fairness.ts';
export type { NormalisedRates, RateBasis, StepRates } from './normalise.ts';
export { normalise } from './normalise.ts';
export { osRates } from './os-rates.ts';
export { ratePercentile } from './rate-percentile.ts';
export type { RelativeVerdict } from './relative.ts';
export {
  formatRelative,
  NO_VERDICT_BAND,
  publishedRelativeVerdict,
  relativeTo,
  relativeVerdict,
} from './relative.ts';
export { slaMet, slaThreshold } from './sla.ts';
export type { BackgroundSeconds, SlaFigures } from './sla-seconds.ts';
export { slaFigures } from './sla-seconds.ts';
export { stepMetrics } from './step-metrics.ts';
export { summariseTimes } from './times-summary.ts';
