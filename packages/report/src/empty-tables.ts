import type { TableId } from './build-report.ts';
import type { Table } from './table.ts';

const NOT_DONE = 'no chosen step is done and valid in any run';
const NOT_SAMPLED = 'no run has statistics of the server in the chosen steps';

/** Why a table that can be asked for is not there. */
const REASONS: Readonly<Record<TableId, string>> = {
  comparability: 'nothing that was recorded differs between the runs',
  warnings: 'there is nothing to warn of',
  summary: NOT_DONE,
  relative: 'there is one row, and nothing to compare it with',
  sla: 'no read-write step is among the chosen steps',
  histogram: 'no run has times of statements in the chosen steps',
  percentiles: 'no run has times of statements in the chosen steps',
  metrics: NOT_DONE,
  details: NOT_DONE,
  server: NOT_SAMPLED,
  fairness: 'no run of several clients has rates of each in the chosen steps',
  deficits: 'no run has a target rate in the chosen steps',
  settings: 'no setting and nothing known of a build differs from the base',
  waits: 'no run has samples of what its backends waited for in the chosen steps',
  debt: NOT_SAMPLED,
  dead_share: 'no run tells how many rows were dead after the chosen steps',
  sampling: 'the server was sampled in no chosen step',
};

/** A line for each table that was asked for and is not there, with the reason. */
export function emptyTables(wanted: readonly TableId[], tables: readonly Table[]): string[] {
  return wanted
    .filter((id) => !tables.some((table) => table.id === id))
    .map((id) => `Table ${id} is empty: ${REASONS[id]}.`);
}
