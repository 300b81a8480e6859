export type { Side } from './build-comparison.ts';
export { buildComparison } from './build-comparison.ts';
export type { ReportOptions, TableId } from './build-report.ts';
export { buildReport, reportSteps, TABLE_IDS } from './build-report.ts';
export { buildSweep } from './build-sweep.ts';
export { blockCell } from './cell.ts';
export { surpriseLines } from './comparability-table.ts';
export { configDiffTable, configsTable } from './config-tables.ts';
export { type Balance, debtBalance } from './debt-balance.ts';
export { emptyTables } from './empty-tables.ts';
export type { ExportFormat } from './export-text.ts';
export { EXPORT_FORMATS, exportText } from './export-text.ts';
export { lastAttempts } from './last-attempts.ts';
export { messageParts } from './message-head.ts';
export { type RatioSpread, ratioSpreads } from './ratio-spreads.ts';
export type { Format, RenderOptions } from './render.ts';
export { FORMATS, render } from './render.ts';
export { reportRows, runsOf } from './report-rows.ts';
export {
  type DoneStep,
  groupRuns,
  median,
  type RunGroup,
  sameLoad,
} from './run-group.ts';
export { summaryMarkdown } from './summary-markdown.ts';
export type { Cell, Column, Mark, Row, Table } from './table.ts';
export { cellText, MARK_SYMBOLS, MARKS, shownColumns } from './table.ts';
export { throughputMetric } from './throughput.ts';
export { type UnfinishedRun, unfinishedRuns } from './unfinished-runs.ts';
export { type Verdict, verdictOf } from './verdict.ts';
