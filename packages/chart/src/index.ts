export { bucketMeans, decimate, rollingMedian } from './decimate.ts';
export { distinctLabels } from './distinct-labels.ts';
export { drawChart, drawStandalone } from './draw.ts';
export { formatClock, formatValue } from './format.ts';
export { markerPath } from './marker.ts';
export { type PackedSeries, packSeries, unpackSeries } from './pack.ts';
export { drawSpark } from './spark.ts';
export {
  type BarChart,
  type BorderChart,
  type ChartSpec,
  type CurveChart,
  type DotChart,
  type ForestChart,
  type Interval,
  mapSeries,
  type Points,
  type RowLabel,
  type ServerWork,
  type StackChart,
  type TimeChart,
  type Unit,
  type View,
} from './spec.ts';
export { chartCss, rowStyle, type Theme } from './style.ts';
export { type Attributes, element, escapeMarkup } from './svg.ts';
