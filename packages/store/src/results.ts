import type { OsCounters, StepResult, WorkerResult } from '@ibench/core';
import { saveStepAudits } from './audits.ts';
import { prepare, type Store } from './open.ts';
import { saveWorkerTimes } from './times.ts';
import { insertRow, toColumns } from './write.ts';

/** Keeps what was observed in a step, however it ended: workers, counters, table rows, warnings, audits. */
export function saveEvidence(store: Store, stepKey: number, result: Partial<StepResult>): void {
  for (const worker of result.workers ?? []) saveWorker(store, stepKey, worker);
  saveCounters(store, stepKey, 'start', result.osBefore ?? null);
  saveCounters(store, stepKey, 'end', result.osAfter ?? null);
  for (const { table, before, after } of result.tables ?? []) {
    insertRow(store, 'table_count', {
      step_key: stepKey,
      table_name: table,
      rows_before: before,
      rows_after: after,
    });
  }
  saveWarnings(store, stepKey, result.warnings ?? []);
  saveStepAudits(store, stepKey, result.audits ?? []);
}

/** Attaches warnings to a step; a text that is there already is not repeated. */
export function saveWarnings(store: Store, stepKey: number, texts: readonly string[]): void {
  const insert = prepare(
    store,
    'INSERT INTO warning (step_key, text) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  for (const text of texts) insert.run(stepKey, text);
}

/** Keeps the figures of the step as a whole; only for a step that is done. */
export function saveStepResult(store: Store, stepKey: number, result: StepResult): void {
  const split = result.cpuSplit;
  insertRow(store, 'step_result', {
    step_key: stepKey,
    rows_indexed: result.rowsIndexed,
    ...toColumns({ ...result.sizes }),
    ...toColumns({ ...result.wal }),
    cpu_insert_backends_s: split?.insertBackends ?? null,
    cpu_delete_backends_s: split?.deleteBackends ?? null,
    cpu_query_backends_s: split?.queryBackends ?? null,
    cpu_maintenance_backend_s: split?.maintenanceBackend ?? null,
    cpu_background_s: split?.background ?? null,
    cpu_load_generator_s: split?.loadGenerator ?? null,
  });
}

function saveWorker(store: Store, stepKey: number, worker: WorkerResult): void {
  const { cpu, backendCpu, resync, times, ...own } = worker;
  const workerKey = insertRow(store, 'worker', {
    step_key: stepKey,
    ...toColumns(own),
    cpu_user_s: cpu?.user ?? null,
    cpu_system_s: cpu?.system ?? null,
    backend_cpu_user_s: backendCpu?.user ?? null,
    backend_cpu_system_s: backendCpu?.system ?? null,
    resync: resync?.name ?? null,
    resync_count: resync?.count ?? null,
    resync_total_us: resync?.totalUs ?? null,
    resync_max_us: resync?.maxUs ?? null,
  });
  for (const oneClock of times) saveWorkerTimes(store, workerKey, oneClock);
}

function saveCounters(
  store: Store,
  stepKey: number,
  moment: 'start' | 'end',
  counters: OsCounters | null,
): void {
  if (counters === null) return;
  const { cpu, disks, ...own } = counters;
  const cpuColumns = Object.entries(cpu).map(([name, seconds]) => [`${name}_s`, seconds] as const);
  insertRow(store, 'os_counter', {
    step_key: stepKey,
    moment,
    ...toColumns(own),
    ...Object.fromEntries(cpuColumns),
  });
  for (const disk of disks) {
    insertRow(store, 'disk_counter', { step_key: stepKey, moment, ...toColumns({ ...disk }) });
  }
}
