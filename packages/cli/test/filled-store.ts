import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type StepResult, stepMetrics, type WorkerResult } from '@ibench/core';
import {
  addSeconds,
  closeStore,
  createPlan,
  createRun,
  finishRun,
  finishStep,
  openStore,
  planRuns,
  type Store,
  saveRunFacts,
  saveSettings,
  startStep,
} from '@ibench/store';

const AT = '2026-01-02T03:04:05.000Z';
export const IBENCH: string = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** What one run had and measured. */
export interface MadeRun {
  readonly build: string;
  readonly config?: string;
  /** Build and config unless given. */
  readonly tag?: string;
  readonly seed?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly requested?: readonly string[];
  readonly facts?: Readonly<Record<string, string>>;
  /** Inserts/s in l.i1, over ten seconds. */
  readonly ips: number;
  /** Of its step. */
  readonly warnings?: readonly string[];
  /** Of the plan `nightly`, the same for all attempts at it; none unless given. */
  readonly repeat?: number;
  /** done unless given. */
  readonly status?: 'crashed';
}

/** A store with these runs, as the runner keeps them; removed after the test. */
export function filledStore(t: TestContext, runs: readonly MadeRun[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-filled-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'ibench.sqlite');
  const store = openStore(file);
  const planned = addPlan(store, runs);
  for (const [i, run] of runs.entries()) {
    addRun(store, run, { runId: `run-${i + 1}`, planRunKey: planned.get(run.repeat) ?? null });
  }
  closeStore(store);
  return file;
}

/** Runs the program to its end. */
export function ibench(...args: string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  return spawnSync(process.execPath, [IBENCH, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function identityOf({ build, config = 'base', tag = `${build}.${config}` }: MadeRun) {
  return { build, config, tag, workload: 'tiny' };
}

/** The keys of the plan's runs by repeat. */
function addPlan(store: Store, runs: readonly MadeRun[]): Map<number | undefined, number> {
  const planned = runs.filter(({ repeat }, i) => {
    return repeat !== undefined && i === runs.findIndex((other) => other.repeat === repeat);
  });
  if (planned.length === 0) return new Map();
  const texts = { file: 'nightly.yaml', fileText: '', fileSha256: 'f', options: '{}' };
  const runner = { runnerPid: 1, runnerStart: 'x', startedAt: AT };
  const sums = { buildSha256: 'b', configSha256: 'c', workloadSha256: 'w', overrides: '{}' };
  const { planKey } = createPlan(
    store,
    { name: 'nightly', runOrder: 'sequential', seed: 1, ...texts, ...runner },
    planned.map((run, i) => {
      return { ordinal: i + 1, repeat: run.repeat as number, ...identityOf(run), ...sums };
    }),
  );
  return new Map(planRuns(store, planKey).map(({ repeat, planRunKey }) => [repeat, planRunKey]));
}

function addRun(
  store: Store,
  run: MadeRun,
  names: { readonly runId: string; readonly planRunKey: number | null },
): void {
  const { seed = 42, build, status = 'done' } = run;
  const key = createRun(store, {
    ...identityOf(run),
    ...names,
    clients: 1,
    startedAt: AT,
    directory: `/runs/${names.runId}`,
    runnerPid: 1,
    runnerStart: 'x',
    seed,
    toolVersion: '0.1.0',
    commandLine: 'run',
  });
  saveRunFacts(store, key, 'host', new Map(Object.entries({ kernel: '6.1', ...run.facts })));
  const settings = Object.entries({ server_version: build.slice(2), ...run.settings });
  saveSettings(
    store,
    key,
    settings.map(([name, actual]) => {
      const requested = run.requested?.includes(name) ? actual : null;
      const source = requested === null ? 'default' : 'configuration file';
      return { name, actual, requested, unit: null, source };
    }),
  );
  const step = startStep(store, key, { seq: 1, step: 'l.i1', kind: 'write', startedAt: AT });
  const result = { ...stepResult(run.ips), warnings: run.warnings ?? [] };
  addSeconds(
    store,
    step,
    result.perSecond.map((rows, second) => ({
      client: 1,
      kind: 'insert',
      second,
      ops: rows,
      rows,
      maxUs: 900 + second,
    })),
  );
  const metrics = stepMetrics('l.i1', 'write', result);
  finishStep(store, step, { finishedAt: AT, result, metrics, times: [] });
  const message = status === 'done' ? null : 'the runner was killed';
  finishRun(store, key, { status, message, finishedAt: AT });
}

const SECONDS = 10;

function stepResult(ips: number): StepResult {
  return {
    seconds: SECONDS,
    targetIps: null,
    rowsIndexed: 0,
    workers: [inserter(ips * SECONDS)],
    perSecond: new Array(SECONDS).fill(ips),
    osBefore: null,
    osAfter: null,
    cpuSplit: null,
    sizes: { databaseBytes: 2 ** 30, dataDirectoryBytes: 2 ** 31, residentBytes: null },
    wal: { walBytes: 300 * 1000, fullPageImages: null },
    server: null,
    tables: [],
    warnings: [],
    audits: [],
    background: [],
  };
}

function inserter(rows: number): WorkerResult {
  return {
    client: 1,
    role: 'insert',
    pid: 2,
    backendPid: 3,
    finishedS: SECONDS,
    operations: rows,
    rows,
    retries: 0,
    errors: 0,
    cpu: { user: 1, system: 1 },
    backendCpu: { user: 1, system: 1 },
    waitServerS: 9,
    generateS: 0.5,
    waitQueueS: 0.5,
    resync: null,
    times: [],
  };
}
