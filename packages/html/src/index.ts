export { chartNames, drawStepChart } from './chart-command.ts';
export { buildPage, type PageInput } from './page.ts';
export type { Evidence } from './rows.ts';
export { renderTable } from './table-html.ts';
