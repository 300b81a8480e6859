/** Values over positions, both as long; NaN is a gap. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** What the values of a chart are; decides how they are written. */
export type Unit =
  | 'rate'
  | 'time-us'
  | 'time-ms'
  | 'percent'
  | 'mb-rate'
  | 'mb'
  | 'count'
  | 'us-per-op';

/** One row of the tables (a tag) in a chart. */
export interface RowLabel {
  /** Position among all rows of the report, from 0, the base first: colour, dash and marker follow from it. */
  readonly row: number;
  readonly label: string;
  /** Written under the label, a line each: average, ratio, worst. */
  readonly notes: readonly string[];
}

interface ChartText {
  /** Unique among the charts of a step. */
  readonly id: string;
  readonly title: string;
  /** For people who cannot see it: what is drawn and what stands out. */
  readonly description: string;
}

/** Dots and lines over the seconds of a step, one panel per row, or the lines of all in one. */
export interface TimeChart<S> extends ChartText {
  readonly kind: 'time';
  readonly unit: Unit;
  readonly scale: 'linear' | 'log';
  readonly seconds: number;
  /** Dotted line: the rate that was asked for. */
  readonly target: number | null;
  readonly rows: readonly TimeRow<S>[];
}

export interface TimeRow<S> extends RowLabel {
  /** One dot per second, or the first, least, largest and last of each few where there are too many. */
  readonly dots: S;
  /** Rolling median; the first row's is the ghost in the other panels. */
  readonly line: S;
  /** null: not known, or not about it. */
  readonly server: ServerWork | null;
}

/** From a second to another. */
export type Interval = readonly [from: number, to: number];

/** When the server was at work of its own. */
export interface ServerWork {
  readonly checkpoints: readonly Interval[];
  readonly vacuums: readonly Interval[];
}

/** Areas on top of each other over the seconds of a step, one panel per row. */
export interface StackChart<S> extends ChartText {
  readonly kind: 'stack';
  readonly unit: Unit;
  readonly seconds: number;
  /** Top of the axis; null: what the areas reach. */
  readonly top: number | null;
  /** A line across with its label, such as the number of cores. */
  readonly limit: { readonly value: number; readonly label: string } | null;
  /** Names of the layers, the lowest first. */
  readonly layers: readonly string[];
  readonly rows: readonly StackRow<S>[];
}

export interface StackRow<S> extends RowLabel {
  /** One series per layer, all at the same positions. */
  readonly layers: readonly S[];
}

/** Response time over percentile, one line per row. */
export interface CurveChart<S> extends ChartText {
  readonly kind: 'curve';
  readonly unit: Unit;
  /** x in nines: 1 is p90, 2 is p99. */
  readonly rows: readonly (RowLabel & { readonly line: S })[];
}

/** One bar per row, of segments. */
export interface BarChart extends ChartText {
  readonly kind: 'bar';
  readonly unit: Unit;
  readonly layers: readonly string[];
  /** One value per layer; null: not measured. */
  readonly rows: readonly (RowLabel & { readonly values: readonly (number | null)[] })[];
}

/** One line per row, a dot for each of its values: how far they lie apart. */
export interface DotChart extends ChartText {
  readonly kind: 'dot';
  readonly unit: Unit;
  readonly rows: readonly (RowLabel & { readonly values: readonly number[] })[];
}

/** Ratios by group, a line for each row in it. */
export interface ForestChart extends ChartText {
  readonly kind: 'forest';
  /** Ratios in between are no change. */
  readonly band: readonly [low: number, high: number];
  /** Names, from the top. */
  readonly groups: readonly string[];
  readonly rows: readonly ForestRow[];
}

export interface ForestRow extends RowLabel {
  readonly estimates: readonly Estimate[];
}

/** A ratio and what it was made from. */
export interface Estimate {
  /** Position of its group. */
  readonly group: number;
  readonly ratio: number;
  /** Ends of the bar; null: there is none. */
  readonly spread: readonly [low: number, high: number] | null;
  readonly repeats: readonly number[];
  /** Of its square: how far the ratio is to be trusted. */
  readonly fill: 'full' | 'hatched' | 'hollow';
  /** The numbers, for people. */
  readonly text: string;
}

/** Values at the start and the end of each step, one line per row. */
export interface BorderChart extends ChartText {
  readonly kind: 'border';
  readonly unit: Unit;
  readonly steps: readonly string[];
  readonly rows: readonly BorderRow[];
}

export interface BorderRow extends RowLabel {
  /** By step; null: not known. */
  readonly steps: readonly (readonly [opening: number | null, closing: number | null])[];
}

/** A chart whose series are `S`: points when it is drawn, numbers of packed series before. */
export type ChartSpec<S = Points> =
  | TimeChart<S>
  | StackChart<S>
  | CurveChart<S>
  | BarChart
  | DotChart
  | ForestChart
  | BorderChart;

/** How a chart is looked at. */
export interface View {
  /** Pixels. */
  readonly width: number;
  /** Rows that are not drawn. */
  readonly hidden: ReadonlySet<number>;
  /** Lines of all rows in one panel instead of one panel each. */
  readonly overlay: boolean;
  /** Seconds shown; null: the whole step. */
  readonly range: readonly [from: number, to: number] | null;
}

/** The same chart with each of its series replaced. */
export function mapSeries<A, B>(spec: ChartSpec<A>, to: (series: A) => B): ChartSpec<B> {
  switch (spec.kind) {
    case 'time':
      return {
        ...spec,
        rows: spec.rows.map((row) => ({ ...row, dots: to(row.dots), line: to(row.line) })),
      };
    case 'stack':
      return { ...spec, rows: spec.rows.map((row) => ({ ...row, layers: row.layers.map(to) })) };
    case 'curve':
      return { ...spec, rows: spec.rows.map((row) => ({ ...row, line: to(row.line) })) };
    default:
      return spec;
  }
}
