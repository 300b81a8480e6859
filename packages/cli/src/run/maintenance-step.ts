import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StepPlan, type StepResult, type TableOptions, tableNames } from '@ibench/core';
import type { MaintenanceConnection } from '@ibench/host';
import { applicationName, type RunContext } from './context.ts';
import { cpuSplit } from './cpu-split.ts';
import { guarded } from './failure.ts';
import { openMeasurement } from './measurement.ts';
import { observerBackends } from './observers.ts';
import type { WatchedProcess } from './process-watch.ts';
import { withReleasers } from './releasers.ts';
import { serverResult } from './server-result.ts';
import { stepAudits } from './step-audits.ts';
import { watchStep } from './step-watch.ts';

/** Longest wait for a request to cancel: the server may be what is stuck. */
const CANCEL_MS = 500;

/** What a maintenance step does on its connections, one for each table, until the step is over. */
type Work = (
  connections: readonly MaintenanceConnection[],
  tables: readonly string[],
  over: AbortSignal,
) => Promise<void>;

/**
 * l.x: builds the secondary indexes, those of a table one after the other, all tables at once. Only the
 * builds are timed.
 */
export async function runIndexStep(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
  options: TableOptions,
): Promise<StepResult> {
  const result = await runMaintenance(context, step, stepKey, async (connections, tables) => {
    await Promise.all(tables.map((table, i) => connections[i]?.createIndexes(table, options)));
  });
  const rows = context.workload.rows * tableNames(context.workload).length;
  return { ...result, rowsIndexed: rows };
}

/** settle (SPEC 3.6): vacuum and analyze of all tables at once, a checkpoint, and a wait until S seconds have passed. */
export function runSettleStep(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
): Promise<StepResult> {
  return runMaintenance(context, step, stepKey, async (connections, tables, over) => {
    const start = performance.now();
    await Promise.all(tables.map((table, i) => connections[i]?.vacuum(table)));
    await connections[0]?.checkpoint();
    const leftMs = (step.seconds ?? 0) * 1000 - (performance.now() - start);
    await sleep(Math.max(0, leftMs), undefined, { signal: over });
  });
}

async function runMaintenance(
  context: RunContext,
  step: StepPlan,
  stepKey: number,
  work: Work,
): Promise<StepResult> {
  const { server, workload } = context;
  const directory = path.join(context.directory, step.name);
  fs.mkdirSync(directory, { recursive: true });
  const tables = tableNames(workload);
  return await withReleasers(async (release) => {
    const measurement = await openMeasurement(context, stepKey, directory);
    release(() => measurement.close());
    const connections: MaintenanceConnection[] = [];
    release(() => closeAll(context, connections));
    const notices = path.join(directory, 'notices.txt');
    const onNotice = (text: string): void => measurement.keep(notices, `${text}\n`);
    await openAll(context, tables.length, { connections, onNotice });
    const before = await guarded(server.statistics(tables, []), context);
    const walStart = await guarded(server.walBytes(), context);
    const watch = watchStep(context, [], processesOf(context, connections));
    release(() => watch.close());
    const ticker = showProgress(context, step);
    release(() => clearInterval(ticker));
    await guarded(measurement.start(Number(process.hrtime.bigint()), watch), context);
    const startNs = Number(process.hrtime.bigint());
    const over = new AbortController();
    release(() => over.abort());
    const working = work(connections, tables, over.signal);
    await guarded(Promise.race([working, measurement.failed, watch.failed]), context);
    const seconds = (Number(process.hrtime.bigint()) - startNs) / 1e9;
    await guarded(measurement.end(), context);
    clearInterval(ticker);
    const walBytes = (await guarded(server.walBytes(), context)) - walStart;
    const watched = await guarded(watch.end(), context);
    await measurement.close();
    await Promise.all(connections.map((connection) => connection.close()));
    const backendPids = connections.map(({ backendPid }) => backendPid);
    const after = await guarded(server.statistics(tables, backendPids), context);
    const readings = await guarded(measurement.readings(), context);
    const backends = [
      ...backendPids.map((backendPid) => ({ role: 'maintenance' as const, backendPid })),
      ...observerBackends(context.observers),
    ];
    const told = serverResult(server, { before, after }, { seconds, sampling: readings.sampling });
    const split = cpuSplit(readings, backends, []);
    const finished = { step: step.name, seconds, cpuSplit: split, workers: [] };
    return {
      seconds,
      targetIps: null,
      rowsIndexed: 0,
      workers: [],
      perSecond: [],
      background: [],
      osBefore: readings.before.os,
      osAfter: readings.after.os,
      cpuSplit: split,
      sizes: {
        databaseBytes: await guarded(server.databaseBytes(), context),
        dataDirectoryBytes: readings.dataDirectoryBytes,
        residentBytes: readings.residentBytes,
      },
      wal: { walBytes, fullPageImages: told.figures.full_page_images },
      server: told,
      tables: [],
      warnings: readings.warnings,
      audits: [...watched, ...stepAudits(context, readings, finished)],
    };
  });
}

/** The backends, where the server is ours. */
function processesOf(
  { server }: RunContext,
  connections: readonly MaintenanceConnection[],
): WatchedProcess[] {
  if (!server.isExclusive) return [];
  return connections.map(({ backendPid }, i) => ({
    pid: backendPid,
    who: `the backend of the runner's connection ${i + 1}`,
    isServer: true,
  }));
}

/** Opens a connection for each table, one by one into the list, so that a failure leaves none behind. */
async function openAll(
  context: RunContext,
  count: number,
  {
    connections,
    onNotice,
  }: { connections: MaintenanceConnection[]; onNotice: (text: string) => void },
): Promise<void> {
  while (connections.length < count) {
    const name = applicationName(context.runId, 'maintenance', connections.length + 1);
    connections.push(await guarded(context.server.openMaintenance(name, onNotice), context));
  }
}

/** A connection that is busy does not close by itself: its statement is cancelled first. */
async function closeAll(
  { server }: RunContext,
  connections: readonly MaintenanceConnection[],
): Promise<void> {
  const cancelled = server.cancel(connections.map(({ backendPid }) => backendPid)).catch(() => {});
  await Promise.race([cancelled, sleep(CANCEL_MS, undefined, { ref: false })]);
  await Promise.all(connections.map((connection) => connection.close().catch(() => {})));
}

function showProgress({ progress }: RunContext, step: StepPlan): NodeJS.Timeout {
  const start = performance.now();
  return setInterval(() => {
    const elapsed = (performance.now() - start) / 1000;
    const of = step.seconds === null ? '' : ` of ${step.seconds}`;
    progress.update(elapsed, `  ${step.name.padEnd(7)}  ${Math.floor(elapsed)}${of} s`);
  }, 1000);
}
