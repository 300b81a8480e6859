import type { Scale } from './frame.ts';
import type { Points } from './spec.ts';
import { element } from './svg.ts';

/** So few are easily overlooked: they are drawn larger. */
const FEW_DOTS = 150;

/** All dots as one path of marks of no length, which the round line cap makes dots; each pixel once. */
export function dots(points: Points, x: Scale, y: Scale): string {
  const [from, to] = x.domain();
  const seen = new Set<number>();
  const parts: string[] = [];
  for (let i = 0; i < points.x.length; i++) {
    const [at, value] = [points.x[i]!, points.y[i]!];
    if (Number.isNaN(value) || at < from! || at > to!) continue;
    const [px, py] = [Math.round(2 * x(at)) / 2, Math.round(2 * y(value)) / 2];
    const pixel = px * 1e6 + py;
    if (seen.has(pixel)) continue;
    seen.add(pixel);
    parts.push(`M${px} ${py}h0`);
  }
  if (parts.length === 0) return '';
  const style = parts.length < FEW_DOTS ? 'stroke-width:3.6px;opacity:.8' : undefined;
  return element('path', { class: 'dots', d: parts.join(''), style });
}
