export { chartNames, drawChosenChart } from './chart-command.ts';
export { chartFiles } from './chart-files.ts';
export { buildPage, type PageInput } from './page.ts';
export type { Evidence } from './rows.ts';
export { buildSummary } from './summary.ts';
export { renderTable } from './table-html.ts';
