import { cellText, shownColumns, type Table } from './table.ts';

/** Tables as GitHub-flavoured markdown, each under a heading of the third level. */
export function renderMarkdown(tables: readonly Table[]): string {
  if (tables.length === 0) return 'No runs to report.\n';
  return `${tables.map(renderTable).join('\n\n')}\n`;
}

function renderTable(table: Table): string {
  const shown = shownColumns(table);
  const columns = shown.map(({ column }) => column);
  const lines = [
    columns.map(({ label }) => escapeText(label)),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...table.rows.map(({ cells }) => shown.map(({ index }) => escapeText(cellText(cells[index]!)))),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const footnotes = table.footnotes.map((note) => `- ${escapeText(note)}`);
  return [
    `### ${escapeText(table.title)}`,
    '',
    escapeText(table.note),
    ...(table.rows.length === 0 ? [] : ['', ...lines]),
    ...(footnotes.length === 0 ? [] : ['', ...footnotes]),
  ].join('\n');
}

/** Characters that would end a cell or start markup; a line break would end the table. */
export function escapeText(text: string): string {
  return text.replace(/[\\|<*`[\]~]/g, '\\$&').replace(/\s*\p{Cc}+\s*/gu, ' ');
}
