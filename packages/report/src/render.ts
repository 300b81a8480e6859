import { renderCsv } from './csv.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import type { Table } from './table.ts';
import { renderText } from './text.ts';

/** Formats of a report. */
export const FORMATS = ['text', 'md', 'csv', 'tsv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export interface RenderOptions {
  /** ANSI colours and bold headings; only text has them. */
  readonly colour: boolean;
}

/** The tables in one format, ending in a newline unless there is nothing to print. */
export function render(tables: readonly Table[], format: Format, options: RenderOptions): string {
  switch (format) {
    case 'text':
      return renderText(tables, options.colour);
    case 'md':
      return renderMarkdown(tables);
    case 'csv':
      return renderCsv(tables, ',');
    case 'tsv':
      return renderCsv(tables, '\t');
    case 'json':
      return renderJson(tables);
    default: {
      const never: never = format;
      return never;
    }
  }
}
