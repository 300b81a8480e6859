import { escapeMarkup } from '@ibench/chart';
import {
  type Cell,
  type Column,
  cellText,
  messageParts,
  type Row,
  shownColumns,
  type Table,
} from '@ibench/report';
import { columnMeaning } from './column-meanings.ts';
import { html, scrolledTable } from './markup.ts';

/** How a table is shown beyond its numbers. */
export interface TableLook {
  /** Anchor of the table. */
  readonly id: string;
  /** Target of a link for this column's heading, or undefined. */
  readonly linkOf?: (key: string) => string | undefined;
}

/**
 * A table as static HTML. Every number is there twice: as people read it, and at full precision in the
 * `value` of a `<data>` element.
 */
export function renderTable(table: Table, look: TableLook): string {
  const tagAt = table.columns.findIndex(({ key }) => key === 'tag');
  const shown = tagFirst(shownColumns(table), table);
  const head = shown.map(({ column }) => headCell(table, column, look));
  const shades = shadesOf(table);
  const body = table.rows.map((row, i) => {
    const cells = shown.map(({ column, index }) =>
      bodyCell(row.cells[index]!, column, { isName: index === tagAt, shade: shades(row, index) }),
    );
    return html('tr', { class: isBlockStart(table, i) ? 'block' : undefined }, ...cells);
  });
  const meanings = shown.flatMap(({ column }) => meaningOf(table, column));
  return html(
    'section',
    { class: 'table', id: look.id },
    html('h4', {}, escapeMarkup(table.title), anchor(look.id)),
    html('p', { class: 'note' }, escapeMarkup(table.note)),
    // Without rows its note says what there is to say.
    table.rows.length === 0
      ? ''
      : scrolledTable({ label: table.title, className: `t-${table.id}` }, head, body),
    footnotes([...table.footnotes, ...hatchingNote(table)]),
    table.rows.length === 0 || meanings.length === 0 ? '' : glossary(meanings),
  );
}

/**
 * The tag comes first, where it stays in view when a wide table is scrolled. In a table of blocks the name of
 * the block keeps that place.
 */
function tagFirst<C extends { readonly column: Column }>(
  columns: readonly C[],
  table: Table,
): readonly C[] {
  if (hasBlocks(table)) return columns;
  const isTag = ({ column }: C): boolean => column.key === 'tag';
  return [...columns.filter(isTag), ...columns.filter((one) => !isTag(one))];
}

/** A link to the place it stands at. */
export function anchor(id: string): string {
  return html('a', { class: 'anchor', href: `#${id}`, 'aria-label': 'link to this place' }, '#');
}

function headCell(table: Table, column: Column, { linkOf }: TableLook): string {
  const target = linkOf?.(column.key);
  const label = escapeMarkup(column.label);
  const text = target === undefined ? label : html('a', { href: target }, label);
  return html(
    'th',
    {
      scope: 'col',
      class: column.align === 'right' ? 'num' : undefined,
      title: columnMeaning(table.id, column.key),
    },
    text,
  );
}

interface CellLook {
  readonly isName: boolean;
  /** 0 to 1: how dark its ground is; 0 is none. */
  readonly shade: number;
}

function bodyCell(cell: Cell, column: Column, { isName, shade }: CellLook): string {
  const classes = [
    column.align === 'right' ? 'num' : '',
    cell.mark === 'none' ? '' : cell.mark,
    shade > 0 ? 'shaded' : '',
    cell.bySize ? 'by-size' : '',
  ].filter((name) => name !== '');
  const text = escapeMarkup(cellText(cell));
  const content =
    typeof cell.value === 'number'
      ? html('data', { value: String(cell.value) }, text)
      : text + folded(cell);
  const attributes = {
    class: classes.length === 0 ? undefined : classes.join(' '),
    style: shade > 0 ? `--shade:${shade.toFixed(2)}` : undefined,
  };
  return isName
    ? html('th', { scope: 'row', ...attributes }, html('span', { class: 'name' }, content))
    : html('td', attributes, content);
}

/** What the text of a cell leaves out of a message, such as the end of a log, for who opens it. */
function folded({ value, text }: Cell): string {
  const { rest } = messageParts(typeof value === 'string' && text !== '' ? value : '');
  if (rest === '') return '';
  return html('details', {}, html('summary', {}, 'more'), html('pre', {}, escapeMarkup(rest)));
}

/** A row that begins a block: its first cell has text, those after it in the block have none. */
function isBlockStart(table: Table, i: number): boolean {
  return i > 0 && hasBlocks(table) && table.rows[i]!.cells[0]?.text !== '';
}

function hasBlocks({ rows }: Table): boolean {
  return rows.some(({ cells }) => cells[0]?.text === '');
}

type ShadeOf = (row: Row, index: number) => number;

/** Ratios are shaded by how far they are from 1, up to 1.25; histograms by the logarithm of the share. */
function shadesOf(table: Table): ShadeOf {
  const numeric = (row: Row, index: number): number => {
    const { value, mark } = row.cells[index]!;
    return typeof value === 'number' && mark !== 'missed-sla' ? value : Number.NaN;
  };
  if (table.id === 'relative') {
    return (row, index) => {
      const { mark } = row.cells[index]!;
      const ratio = numeric(row, index);
      if (mark !== 'good' && mark !== 'bad') return 0;
      return Math.min(1, 0.25 + Math.abs(Math.log(ratio)) / Math.log(1.25));
    };
  }
  if (table.id !== 'histogram') return () => 0;
  return (row, index) => {
    const percent = table.columns[index]!.key === 'max_us' ? Number.NaN : numeric(row, index);
    if (table.columns[index]!.align !== 'right' || !(percent > 0)) return 0;
    return Math.max(0.06, (Math.log10(percent) + 4) / 6);
  };
}

function meaningOf(table: Table, column: Column): { label: string; meaning: string }[] {
  const meaning = columnMeaning(table.id, column.key);
  return meaning === undefined ? [] : [{ label: column.label, meaning }];
}

function footnotes(notes: readonly string[]): string {
  if (notes.length === 0) return '';
  const items = notes.map((note) => html('li', {}, escapeMarkup(note)));
  return html('ul', { class: 'footnotes' }, ...items);
}

/** What the hatched cells are, where there are any. */
function hatchingNote({ rows }: Table): string[] {
  const isHatched = rows.some(({ cells }) => cells.some(({ bySize }) => bySize));
  return isHatched
    ? ['hatched: too few repeats to tell it from noise, so marked by size only']
    : [];
}

function glossary(meanings: readonly { label: string; meaning: string }[]): string {
  const entries = meanings.map(
    ({ label, meaning }) =>
      html('dt', {}, escapeMarkup(label)) + html('dd', {}, escapeMarkup(meaning)),
  );
  return html(
    'details',
    { class: 'glossary' },
    html('summary', {}, 'What the columns mean'),
    html('dl', {}, ...entries),
  );
}
