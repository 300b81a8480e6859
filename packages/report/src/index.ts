export type { ReportOptions } from './build-report.ts';
export { buildReport } from './build-report.ts';
export type { Format, RenderOptions } from './render.ts';
export { FORMATS, render } from './render.ts';
export type { Cell, Column, Mark, Row, Table } from './table.ts';
export { cellText, MARK_SYMBOLS, MARKS } from './table.ts';
