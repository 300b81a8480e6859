import type { OsSample, SecondRow } from '@ibench/core';
import { prepare, type Store } from './open.ts';
import { insertRow, toColumns, transact } from './write.ts';

/**
 * Keeps per-second rows of a step; a row for the same client, kind and second replaces the earlier one.
 * Workers that share a client and a kind must be added up by the caller.
 */
export function addSeconds(store: Store, stepKey: number, rows: readonly SecondRow[]): void {
  const insert = prepare(
    store,
    'REPLACE INTO second (step_key, client, kind, second, ops, rows, max_us) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  transact(store, () => {
    for (const row of rows) {
      insert.run(stepKey, row.client, row.kind, row.second, row.ops, row.rows, row.maxUs);
    }
  });
}

/**
 * Keeps OS samples of a step. The vmstat part of a second and each of its devices replace what was there;
 * `vm: null` leaves the vmstat part alone, so both may come apart.
 */
export function addOsSamples(store: Store, stepKey: number, samples: readonly OsSample[]): void {
  transact(store, () => {
    for (const { second, vm, io } of samples) {
      const key = { step_key: stepKey, second };
      if (vm !== null) {
        insertRow(store, 'vm_sample', { ...key, ...toColumns({ ...vm }) }, 'REPLACE');
      } else {
        prepare(
          store,
          'INSERT INTO vm_sample (step_key, second) VALUES (?, ?) ON CONFLICT DO NOTHING',
        ).run(stepKey, second);
      }
      for (const device of io) {
        insertRow(store, 'io_sample', { ...key, ...toColumns({ ...device }) }, 'REPLACE');
      }
    }
  });
}
