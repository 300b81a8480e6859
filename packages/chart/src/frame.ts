import { formatTick } from './format.ts';
import type { Unit, View } from './spec.ts';
import { element } from './svg.ts';

/** Narrower than this, labels stand above their panel instead of beside it. */
const NARROW = 560;

/** Where things go, pixels. */
export interface Frame {
  readonly width: number;
  /** Left and right edge of the plots. */
  readonly left: number;
  readonly right: number;
  /** Width for labels beside the plots; 0: they stand above. */
  readonly gutter: number;
}

/** Margins for this width; `gutter` is the space that labels would like. */
export function frameOf({ width }: View, gutter: number): Frame {
  const beside = width >= NARROW ? gutter : 0;
  return { width, left: 56, right: width - (beside || 10), gutter: beside };
}

/** A scale of d3: maps values to pixels and knows its round values. */
export interface Scale {
  (value: number): number;
  ticks(count?: number): number[];
  domain(): number[];
}

/** Horizontal grid lines and their values at the left. */
export function leftAxis(
  scale: Scale,
  frame: Frame,
  unit: Unit,
  ticks: readonly number[] = scale.ticks(4),
): string {
  return ticks
    .map((tick) => {
      const y = Math.round(scale(tick)) + 0.5;
      return (
        element('path', { class: 'grid', d: `M${frame.left} ${y}H${frame.right}` }) +
        element(
          'text',
          { x: frame.left - 6, y: y + 3.5, 'text-anchor': 'end' },
          formatTick(unit, tick),
        )
      );
    })
    .join('');
}

/** Values under a plot and vertical grid lines through it. */
export function bottomAxis(
  scale: Scale,
  [top, bottom]: readonly [number, number],
  text: (tick: number) => string,
  options: { readonly labels: boolean; readonly ticks: readonly number[] },
): string {
  return options.ticks
    .map((tick) => {
      const x = Math.round(scale(tick)) + 0.5;
      const line = element('path', { class: 'grid', d: `M${x} ${top}V${bottom}` });
      if (!options.labels) return line;
      return line + element('text', { x, y: bottom + 14, 'text-anchor': 'middle' }, text(tick));
    })
    .join('');
}

/** Decades of a logarithmic axis, thinned out where there would be more than five. */
export function decades(low: number, high: number): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const every = Math.max(1, Math.ceil((last - first) / 4));
  return Array.from(
    { length: Math.floor((last - first) / every) + 1 },
    (_, i) => 10 ** (first + i * every),
  );
}
