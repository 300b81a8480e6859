/**
 * How many rows statement `k` (from 0) of a client changes: rows per commit, less in the last
 * statement of a step whose rows are not a multiple of it.
 */
export function rowsInStatement(k: number, rowsPerCommit: number, rows: number | null): number {
  return rows === null
    ? rowsPerCommit
    : Math.max(0, Math.min(rowsPerCommit, rows - k * rowsPerCommit));
}
