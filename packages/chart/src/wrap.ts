import { distinctLabels } from './distinct-labels.ts';
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

/** Mean width of a character of a label, pixels: they are bold. */
export const BOLD = 7;
/** The same of a note. */
export const PLAIN = 6.4;

/** Between a label and what follows it in its line. */
export const LABEL_GAP = 8;
/** Marker before a label. */
const MARKER = 12;
/** Characters of a label that stands above its panel. */
const LEAST_NAME = 8;
const MOST_NAME = 26;

/** Draws the name of a row and its notes at this height. */
type DrawLabel = (row: RowLabel, y: number) => string;

/**
 * Labels for the rows of a chart, given with those that are hidden, so that a name stays the same: each with its
 * marker, and its notes below or, where there is no gutter, after it. Different labels never look the same.
 */
export function rowLabels(rows: readonly RowLabel[], frame: Frame): DrawLabel {
  return frame.gutter === 0 ? labelsAbove(rows, frame) : labelsBeside(rows, frame);
}

/** Characters that a name may have where this text follows it in a line of this many pixels. */
export function nameRoom(width: number, text: string): number {
  const room = Math.floor((width - LABEL_GAP - PLAIN * [...text].length) / BOLD);
  return Math.min(MOST_NAME, Math.max(LEAST_NAME, room));
}

function labelsAbove(rows: readonly RowLabel[], { left, right }: Frame): DrawLabel {
  const width = right - left - MARKER;
  const room = Math.min(...rows.map(({ notes }) => nameRoom(width, notes[0] ?? '')));
  const names = namesOf(rows, room);
  return (row, y) => {
    const name = names.get(row.label) ?? row.label;
    const space = Math.floor((width - LABEL_GAP - BOLD * [...name].length) / PLAIN);
    return nameWithMarker(row, { x: left, y }, [
      element('tspan', { class: 'label' }, escapeMarkup(name)),
      element('tspan', { dx: LABEL_GAP }, escapeMarkup(joinedNotes(row.notes, space))),
    ]);
  };
}

/** As many whole notes as fit into this many characters, at least the first. */
function joinedNotes([first = '', ...others]: readonly string[], room: number): string {
  let text = shorten(first, room);
  for (const note of others) {
    const longer = `${text} · ${note}`;
    if ([...longer].length > room) break;
    text = longer;
  }
  return text;
}

function labelsBeside(rows: readonly RowLabel[], { right, gutter }: Frame): DrawLabel {
  const names = namesOf(rows, Math.floor((gutter - 14 - MARKER) / BOLD));
  const characters = Math.floor((gutter - 14) / 6) + 2;
  const x = right + 10;
  return (row, y) => {
    const name = element('tspan', { class: 'label' }, escapeMarkup(names.get(row.label) ?? ''));
    const notes = row.notes.map((note, i) =>
      element('text', { x, y: y + 15 + 14 * i }, escapeMarkup(shorten(note, characters))),
    );
    return nameWithMarker(row, { x, y }, [name]) + notes.join('');
  };
}

function namesOf(rows: readonly RowLabel[], room: number): ReadonlyMap<string, string> {
  return distinctLabels(
    rows.map(({ label }) => label),
    room,
  );
}

function nameWithMarker(
  row: RowLabel,
  { x, y }: { readonly x: number; readonly y: number },
  spans: readonly string[],
): string {
  const { className, marker } = rowStyle(row.row);
  const at = `translate(${round(x + 4)} ${round(y - 4)})`;
  return element(
    'g',
    { class: className },
    element('path', { class: 'marker', d: markerPath(marker, 28), transform: at }),
    element('text', { x: x + MARKER, y }, ...spans, element('title', {}, escapeMarkup(row.label))),
  );
}

/** A group in the colours of a row. */
export function rowGroup(row: number, attributes: Attributes, ...children: string[]): string {
  const { className } = rowStyle(row);
  const both = attributes.class === undefined ? className : `${className} ${attributes.class}`;
  return element('g', { ...attributes, class: both }, ...children);
}
