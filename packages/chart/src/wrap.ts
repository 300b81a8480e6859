import type { Frame } from './frame.ts';
import { markerPath } from './marker.ts';
import type { ChartSpec, RowLabel, View } from './spec.ts';
import { rowStyle } from './style.ts';
import { type Attributes, element, escapeMarkup, round, shorten } from './svg.ts';

/** The SVG element of a chart with its name for people who cannot see it. */
export function wrapChart(
  spec: ChartSpec<unknown>,
  view: View,
  height: number,
  content: readonly string[],
): string {
  const width = Math.round(view.width);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      role: 'img',
      viewBox: `0 0 ${width} ${Math.round(height)}`,
      width,
      height: Math.round(height),
      'aria-label': `${spec.title}. ${spec.description}`,
    },
    element('title', {}, escapeMarkup(spec.title)),
    element('desc', {}, escapeMarkup(spec.description)),
    ...content,
  );
}

/** Where the lines of a label begin. */
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly characters: number;
}

/** Mean width of a character of a label, pixels: they are bold. */
export const BOLD = 7;

/** A row's name with its marker, and its notes below or, where there is no gutter, after it. */
export function rowLabel(row: RowLabel, frame: Frame, y: number): string {
  if (frame.gutter === 0) {
    const text = shorten(row.label, 26);
    const notes = row.notes.join(' · ');
    const room = Math.floor((frame.right - frame.left - 20) / 6);
    return nameWithMarker(row, { x: frame.left, y, characters: 26 }, [
      element('tspan', { class: 'label' }, escapeMarkup(text)),
      element('tspan', { dx: 8 }, escapeMarkup(shorten(notes, room - [...text].length))),
    ]);
  }
  const characters = Math.floor((frame.gutter - 26) / 6.2);
  const name = shorten(row.label, Math.floor((frame.gutter - 26) / BOLD));
  const place: LabelPlace = { x: frame.right + 10, y, characters };
  const notes = row.notes.map((note, i) =>
    element(
      'text',
      { x: place.x, y: y + 15 + 14 * i },
      escapeMarkup(shorten(note, characters + 4)),
    ),
  );
  return (
    nameWithMarker(row, place, [element('tspan', { class: 'label' }, escapeMarkup(name))]) +
    notes.join('')
  );
}

function nameWithMarker(row: RowLabel, { x, y }: LabelPlace, spans: readonly string[]): string {
  const { className, marker } = rowStyle(row.row);
  const at = `translate(${round(x + 4)} ${round(y - 4)})`;
  return element(
    'g',
    { class: className },
    element('path', { class: 'marker', d: markerPath(marker, 28), transform: at }),
    element('text', { x: x + 12, y }, ...spans, element('title', {}, escapeMarkup(row.label))),
  );
}

/** A group in the colours of a row. */
export function rowGroup(row: number, attributes: Attributes, ...children: string[]): string {
  const { className } = rowStyle(row);
  const both = attributes.class === undefined ? className : `${className} ${attributes.class}`;
  return element('g', { ...attributes, class: both }, ...children);
}
