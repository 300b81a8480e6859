import { planSteps, tableNames } from '../plan.ts';
import type { Workload } from '../workload/workload.ts';

/** How much disk a run needs at most, bytes; METHOD.md has the formula and what it was compared with. */
export interface SpaceEstimate {
  /** Tables and indexes after l.x. */
  readonly loadedBytes: number;
  /** The most that data, WAL and sorts take at one time, headroom included. */
  readonly peakBytes: number;
}

/** A new cluster: catalogs of three databases. */
const EMPTY_CLUSTER_BYTES = 40 * 1024 ** 2;

/** Page header and unused ends are 1 to 2% of a page. */
const HEAP_FILL = 0.98;

/** What CREATE INDEX leaves behind. */
const BUILT_FILL = 0.9;

/** What random inserts make of a B-tree: ln 2 (Yao, 1978). */
const RANDOM_FILL = Math.LN2;

/** Bytes in an index for one row, item pointer included: header 8, keys aligned to 8, pointer 4. */
const PRIMARY_KEY_BYTES = 20;

/** The secondary indexes in the order in which they are made: three ints; three ints; int, timestamp, int. */
const SECONDARY_BYTES = [28, 28, 36] as const;

/** Added to the sum, since bloat and WAL are bounded only softly. */
const HEADROOM = 1.1;

/**
 * The disk space of one run.
 *
 * @param walBytes max_wal_size of its configuration
 */
export function estimateSpace(workload: Workload, walBytes: number): SpaceEstimate {
  const secondary = SECONDARY_BYTES.slice(0, workload.secondary_indexes);
  const heap = heapBytes(workload);
  const keys = secondary.reduce<number>((sum, bytes) => sum + bytes, 0);
  const loadedRow = heap + (PRIMARY_KEY_BYTES + keys) / BUILT_FILL;
  const grownRow = heap + PRIMARY_KEY_BYTES / BUILT_FILL + keys / RANDOM_FILL;
  const loadedRows = workload.rows * tableNames(workload).length;
  const loadedBytes = loadedRows * loadedRow;
  // Every table sorts for one index at a time.
  const sortBytes = loadedRows * Math.max(0, ...secondary);
  const grownBytes = (loadedRows + insertedRows(workload)) * grownRow;
  const most = Math.max(loadedBytes + sortBytes, grownBytes);
  return {
    loadedBytes: Math.round(loadedBytes),
    peakBytes: Math.round((EMPTY_CLUSTER_BYTES + most + walBytes) * HEADROOM),
  };
}

/** Bytes of a row in its table: item pointer 4, header 24, fixed columns 32, data with its length, aligned to 8. */
function heapBytes({ data_length_min, data_length_max }: Workload): number {
  const length = (data_length_min + data_length_max) / 2;
  const data = length + (length <= 126 ? 1 : 4);
  return (4 + 24 + 8 * Math.ceil((32 + data) / 8)) / HEAP_FILL;
}

/**
 * Rows inserted after l.x. As many are deleted, but their space is only used again after a vacuum: the
 * estimate takes none of it back.
 */
function insertedRows(workload: Workload): number {
  return planSteps(workload)
    .filter(({ name }) => name !== 'l.i0')
    .map(({ rowsPerClient, targetRate, seconds }) =>
      rowsPerClient === null
        ? (targetRate ?? 0) * (seconds ?? 0) * workload.clients
        : rowsPerClient.reduce((sum, rows) => sum + rows, 0),
    )
    .reduce((sum, rows) => sum + rows, 0);
}
