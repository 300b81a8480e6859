export type {
  RoleActivity,
  SamplingCost,
  SeriesValue,
  ServerSecond,
  WaitCount,
} from './activity.ts';
export { DEBT_FIGURES, type Debt, type DebtDifference, debtDifferences, debtOf } from './debt.ts';
export { type DoneWork, doneBetween } from './done-work.ts';
export { type ServerFigures, serverFigures } from './figures.ts';
export {
  changesBetween,
  type ServerReading,
  type Statistic,
  type StatisticChange,
} from './statistics.ts';
