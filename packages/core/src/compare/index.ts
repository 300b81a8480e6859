export { AXES, type Axis } from './axes.ts';
export {
  type ClassifiedDifference,
  type Comparability,
  compareRuns,
  type DifferenceKind,
} from './classify.ts';
export {
  COST_METRICS,
  type Cost,
  type CostChange,
  type CostMetric,
  explainingCosts,
} from './costs.ts';
export {
  AREAS,
  type Area,
  type ComparedRun,
  type Difference,
  type Observed,
} from './difference.ts';
export { canDiffer, mannWhitney, SIGNIFICANCE } from './mann-whitney.ts';
export { settingText } from './setting-text.ts';
export { type ValueOfRuns, valuesOf } from './values.ts';
