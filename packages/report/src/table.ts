/**
 * What a cell says beside its value; `unsure` may be noise, `absent` has no value to judge, `invalid` has a text for people and no
 * value, so that nobody averages it.
 */
export const MARKS = ['none', 'good', 'bad', 'unsure', 'missed-sla', 'invalid', 'absent'] as const;
export type Mark = (typeof MARKS)[number];

/** One value of a table, raw for machines and formatted for people. */
export interface Cell {
  /** Full precision; null: not measured or not defined. Never NaN; Infinity only in ratios to zero. */
  readonly value: number | string | null;
  /** The value as people read it; empty for blank. */
  readonly text: string;
  readonly mark: Mark;
  /** Throughput of a step in which the load generator set the pace; beside the mark, not instead of it. */
  readonly clientBound?: true;
  /** Marked by its size alone: too few repeats to tell it from noise. */
  readonly bySize?: true;
}

export interface Column {
  /** Name in CSV, TSV and JSON, unique in its table. */
  readonly key: string;
  /** Heading for people. */
  readonly label: string;
  readonly align: 'left' | 'right';
  /** Left out of text and markdown, where another cell's text already says it. */
  readonly dataOnly?: true;
}

export interface Row {
  /** As many as the table has columns, in their order. */
  readonly cells: readonly Cell[];
}

/** One table of a report, before it takes any format. */
export interface Table {
  /** What is in it: `summary`, `metrics` …; tables of one id have the same columns in every step. */
  readonly id: string;
  /** The step it is about; null for tables over all steps. */
  readonly step: string | null;
  readonly title: string;
  /** Units and meaning, one line. */
  readonly note: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** What a reader of the numbers must know, one line each. */
  readonly footnotes: readonly string[];
}

/** The columns that people see, each with its position in the rows. */
export function shownColumns({ columns }: Table): { column: Column; index: number }[] {
  return columns.flatMap((column, index) => (column.dataOnly ? [] : [{ column, index }]));
}

/** Shown beside the values with these marks, so that no meaning hangs on colour alone. */
export const MARK_SYMBOLS: Readonly<Record<Mark, string>> = {
  none: '',
  good: '▲',
  bad: '▼',
  unsure: '~',
  'missed-sla': '✗',
  invalid: '⊘',
  absent: '',
};

/** Shown beside the throughput of a client-bound step, after the symbol of its mark. */
export const CLIENT_BOUND_SYMBOL = '◆';

/** The cell as people read it, its symbols first. */
export function cellText(cell: Cell): string {
  const symbols = MARK_SYMBOLS[cell.mark] + (cell.clientBound ? CLIENT_BOUND_SYMBOL : '');
  return symbols === '' ? cell.text : `${symbols} ${cell.text}`;
}
