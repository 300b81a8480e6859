import { type Cell, type Column, cellText, type Mark, shownColumns, type Table } from './table.ts';

const GAP = '  ';
const BOLD = '1';
const DIM = '2';

/** Blue and orange of the 256-colour palette: readable on dark and light, also for the colour-blind. */
const MARK_STYLES: Readonly<Record<Mark, string>> = {
  none: '',
  good: '38;5;32',
  bad: '38;5;166',
  unsure: '',
  'missed-sla': '38;5;244',
  // Struck through where the terminal can.
  invalid: '9;38;5;244',
  absent: '38;5;244',
};

/**
 * Tables as aligned text for a terminal, a blank line between them. Rows are never wrapped or cut.
 * With `colour` headings are bold and marked cells coloured (ANSI); the symbols are there either way.
 */
export function renderText(tables: readonly Table[], colour: boolean): string {
  if (tables.length === 0) return 'No runs to report.\n';
  const style: Style = colour
    ? (code, text) => (code === '' || text === '' ? text : `\u001b[${code}m${text}\u001b[0m`)
    : (_, text) => text;
  return `${tables.map((table) => renderTable(table, style)).join('\n\n')}\n`;
}

type Style = (code: string, text: string) => string;

interface Line {
  readonly text: string;
  readonly style: string;
}

function renderTable(table: Table, style: Style): string {
  const shown = shownColumns(table);
  const columns = shown.map(({ column }) => column);
  const header = columns.map(({ label }): Line => ({ text: oneLine(label), style: BOLD }));
  const body = table.rows.map(({ cells }) => shown.map(({ index }) => cellLine(cells[index]!)));
  const widths = columns.map((_, i) =>
    Math.max(...[header, ...body].map((cells) => width(cells[i]!.text))),
  );
  const rule = widths.map((w): Line => ({ text: '─'.repeat(w), style: DIM }));
  const align = (cells: readonly Line[]): string => alignLine(cells, columns, widths, style);
  return [
    style(BOLD, oneLine(table.title)),
    style(DIM, oneLine(table.note)),
    ...(body.length === 0 ? [] : [header, rule, ...body].map(align)),
    ...table.footnotes.map((note) => style(DIM, `* ${oneLine(note)}`)),
  ].join('\n');
}

function cellLine(cell: Cell): Line {
  return { text: oneLine(cellText(cell)), style: MARK_STYLES[cell.mark] };
}

function alignLine(
  cells: readonly Line[],
  columns: readonly Column[],
  widths: readonly number[],
  style: Style,
): string {
  const padded = cells.map(({ text, style: code }, i) => {
    const space = ' '.repeat(widths[i]! - width(text));
    return columns[i]!.align === 'right' ? space + style(code, text) : style(code, text) + space;
  });
  return padded.join(GAP).trimEnd();
}

/** Control characters would break the lines, or the terminal. */
function oneLine(text: string): string {
  return text.replace(/\s*[\p{Cc}\u2028\u2029]+\s*/gu, ' ');
}

/** Columns that the text takes on screen, one per code point; wide scripts are not catered for. */
function width(text: string): number {
  return [...text].length;
}
