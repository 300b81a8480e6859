import type { Frame, Scale } from './frame.ts';
import type { Interval, ServerWork } from './spec.ts';
import { element } from './svg.ts';

/** Height of the bar of a vacuum, pixels. */
const VACUUM = 4;
/** So short ones are seen, too. */
const LEAST_WIDTH = 1.5;

/** Is there anything to be drawn? */
export function hasActivity(server: ServerWork | null): boolean {
  return server !== null && server.checkpoints.length + server.vacuums.length > 0;
}

/** What the server did beside the load: checkpoints as bands behind the dots, vacuums as bars along the bottom. */
export function activityMarks(
  { checkpoints, vacuums }: ServerWork,
  x: Scale,
  [top, bottom]: readonly [number, number],
): string {
  const rect = (className: string, y: number, height: number) => {
    return ([from, to]: Interval): string => {
      const width = Math.max(LEAST_WIDTH, x(to) - x(from));
      return element('rect', { class: className, x: x(from), y, width, height });
    };
  };
  return [
    ...checkpoints.map(rect('checkpoint', top, bottom - top)),
    ...vacuums.map(rect('vacuum', bottom - VACUUM, VACUUM)),
  ].join('');
}

/** What the marks mean: beside the title of the time axis, or in a line below it where there is no gutter. */
export function activityLegend(
  { left, right, gutter }: Frame,
  bottom: number,
): { readonly svg: string; readonly height: number } {
  const [x, height] = gutter === 0 ? [left, 15] : [right + 10, 0];
  const y = bottom + 28 + height;
  const svg =
    element('rect', { class: 'checkpoint', x, y: y - 9, width: 10, height: 10 }) +
    element('text', { x: x + 14, y }, 'checkpoint') +
    element('rect', { class: 'vacuum', x: x + 82, y: y - VACUUM, width: 10, height: VACUUM }) +
    element('text', { x: x + 96, y }, 'vacuum');
  return { svg, height };
}
