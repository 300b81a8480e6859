import {
  type Audit,
  bucketIndex,
  decimalIndex,
  isQueryStep,
  type OsCounters,
  type OsSample,
  type Role,
  type SecondRow,
  type StatementKind,
  type StepKind,
  type StepProfile,
  type StepResult,
  sparseCounts,
  stepMetrics,
  summariseTimes,
  type TimesResult,
  type WorkerResult,
} from '@ibench/core';
import {
  addOsSamples,
  addSeconds,
  addServerSecond,
  closeStore,
  createRun,
  failStep,
  finishRun,
  finishStep,
  openStore,
  type Store,
  saveConfigText,
  saveProfiles,
  saveRunAudits,
  saveRunFacts,
  saveSettings,
  startStep,
} from '@ibench/store';
import { serverResult, serverSeconds } from './generated-server.ts';

const AT = '2026-11-29T10:00:00.000Z';
const CPUS = 8;

/** One run of a generated store. */
export interface GeneratedRun {
  readonly tag: string;
  /** Rate relative to the others; costs per operation go down as it goes up. */
  readonly speed?: number;
  readonly clients?: number;
  /** The step that ends like this, as the last of the run. */
  readonly ends?: { readonly step: string; readonly status: 'failed' | 'interrupted' };
  /** The step in which the settings were found changed; the run is suspect, too. */
  readonly spoiled?: string;
  /** Was iostat there? */
  readonly devices?: boolean;
  /** What was sampled in every step by role: samples by stack. */
  readonly profiles?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface GeneratedChoice {
  readonly runs: readonly GeneratedRun[];
  readonly steps: readonly string[];
  /** Length of each step. */
  readonly seconds: number;
}

/**
 * A store with runs that never were: rates with a slow wave and dips, response times with a tail, every second
 * and sample as a run would have kept it. The same choice gives the same numbers.
 */
export function generateStore(file: string, choice: GeneratedChoice): void {
  const store = openStore(file);
  try {
    choice.runs.forEach((run, i) => {
      generateRun(store, run, { ...choice, number: i });
    });
  } finally {
    closeStore(store);
  }
}

interface World extends GeneratedChoice {
  readonly number: number;
}

function generateRun(store: Store, run: GeneratedRun, world: World): void {
  const [build = run.tag, config = 'cx10b'] = run.tag.split('.');
  const runKey = createRun(store, {
    runId: `20261129-1000${String(world.number).padStart(2, '0')}-00${world.number}`,
    tag: run.tag,
    build,
    config,
    workload: 'generated',
    clients: run.clients ?? 1,
    startedAt: AT,
    directory: '/var/lib/ibench/runs/generated',
    runnerPid: 1,
    runnerStart: '1',
    seed: 7,
    toolVersion: '0.1.0',
    commandLine: `ibench run --build ${build} --config ${config}`,
  });
  saveConfigText(store, runKey, `# ${config}\nshared_buffers = 8GB\n`);
  saveRunFacts(store, runKey, 'host', new Map(Object.entries(HOST)));
  saveRunFacts(store, runKey, 'build', new Map([['version', build]]));
  saveSettings(store, runKey, [
    {
      name: 'shared_buffers',
      requested: '8GB',
      actual: '1048576',
      unit: '8kB',
      source: 'configuration file',
    },
  ]);
  for (const [i, step] of world.steps.entries()) {
    const random = generator(world.number * 1000 + i);
    const stepKey = startStep(store, runKey, {
      seq: i + 1,
      step,
      kind: kindOf(step),
      startedAt: AT,
    });
    const made = makeStep(step, run, { seconds: world.seconds, random });
    addSeconds(store, stepKey, made.seconds);
    addOsSamples(store, stepKey, made.samples);
    for (const seen of serverSeconds(run, world.seconds)) addServerSecond(store, stepKey, seen);
    saveProfiles(store, stepKey, profilesOf(run));
    if (run.ends?.step === step) {
      const message = 'client 1, insert: 53100 could not extend file: No space left on device';
      const { status } = run.ends;
      failStep(store, stepKey, { status, message, finishedAt: AT, result: made.result });
      finishRun(store, runKey, { status, message, finishedAt: AT });
      return;
    }
    const audits = run.spoiled === step ? [CHANGED] : [];
    finishStep(store, stepKey, {
      finishedAt: AT,
      result: { ...made.result, audits, server: serverResult(step, i, run) },
      metrics: stepMetrics(step, kindOf(step), made.result),
      times: summariseTimes(made.result.workers),
    });
  }
  if (run.spoiled !== undefined) saveRunAudits(store, runKey, [SLOW_HOST]);
  finishRun(store, runKey, { status: 'done', message: null, finishedAt: AT });
}

function profilesOf({ profiles = {} }: GeneratedRun): StepProfile[] {
  return Object.entries(profiles).map(([role, samples]) => ({
    client: 1,
    role,
    event: 'cycles',
    callGraph: 'fp',
    frequencyHz: 99,
    fromS: 55,
    toS: 65,
    stacks: new Map(Object.entries(samples)),
  }));
}

const CHANGED: Audit = {
  name: 'settings',
  verdict: 'invalid',
  value: 1,
  bound: 0,
  reason: 'work_mem was 4096 kB, is 1024 kB',
};

const SLOW_HOST: Audit = {
  name: 'canary',
  verdict: 'warned',
  value: 1.5,
  bound: 1,
  reason: 'suspect: the host was not as in 9 earlier runs: the CPU loop took 190 ms, 127 ms ± 5%',
};

const HOST = {
  cpu_model: 'AMD Ryzen 7 7840HS',
  logical_cpus: CPUS,
  memory_bytes: 32 * 1024 ** 3,
  file_system: 'xfs',
  kernel: '6.1.0-31-amd64',
};

function kindOf(step: string): StepKind {
  if (step === 'settle') return 'settle';
  if (isQueryStep(step)) return 'read-write';
  return step === 'l.x' ? 'index' : step === 'l.i0' ? 'load' : 'write';
}

interface MadeStep {
  readonly result: StepResult;
  readonly seconds: SecondRow[];
  readonly samples: OsSample[];
}

interface Making {
  readonly seconds: number;
  readonly random: () => number;
}

function makeStep(step: string, run: GeneratedRun, making: Making): MadeStep {
  const clients = run.clients ?? 1;
  const workers: WorkerResult[] = [];
  const rows: SecondRow[] = [];
  for (let client = 1; client <= clients; client++) {
    for (const role of rolesOf(step)) {
      const own = secondsOf(step, role, { run, making, client });
      rows.push(...own);
      workers.push(workerOf(role, client, own, making));
    }
  }
  const main = isQueryStep(step) ? 'query' : 'insert';
  const perSecond = Array.from({ length: making.seconds }, () => 0);
  for (const row of rows.filter(({ kind }) => kind === main)) {
    perSecond[row.second]! += main === 'query' ? row.ops : row.rows;
  }
  const speed = run.speed ?? 1;
  const cpu = making.seconds * CPUS * 0.6;
  const load = { insertBackends: 0.5 * cpu, deleteBackends: 0.2 * cpu, queryBackends: 0 };
  const result: StepResult = {
    seconds: making.seconds + 0.4,
    targetIps: isQueryStep(step) ? targetOf(step) * clients : null,
    rowsIndexed: step === 'l.x' ? Math.round(300_000 * speed * making.seconds) : 0,
    workers,
    perSecond,
    osBefore: counters(0, making.seconds),
    osAfter: counters(1, making.seconds),
    cpuSplit: {
      ...(step === 'l.x' || step === 'settle'
        ? { insertBackends: 0, deleteBackends: 0, queryBackends: 0 }
        : load),
      ...(isQueryStep(step) ? { insertBackends: 0.05 * cpu, queryBackends: 0.6 * cpu } : {}),
      maintenanceBackend: step === 'l.x' ? 0.7 * cpu : 0,
      background: 0.1 * cpu,
      loadGenerator: 0.12 * cpu,
    },
    sizes: { databaseBytes: 8e9, dataDirectoryBytes: 2.4e10, residentBytes: 9e9 },
    wal: { walBytes: 4e10, fullPageImages: 1e6 },
    tables: [],
    warnings: [],
    server: null,
    background: [],
    audits: [],
  };
  return { result, seconds: rows, samples: samplesOf(run, making) };
}

function rolesOf(step: string): StatementKind[] {
  if (step === 'l.x' || step === 'settle') return [];
  if (step === 'l.i0') return ['insert'];
  return isQueryStep(step) ? ['insert', 'delete', 'query'] : ['insert', 'delete'];
}

function targetOf(step: string): number {
  return Number(step.slice(2));
}

interface Doing {
  readonly run: GeneratedRun;
  readonly making: Making;
  readonly client: number;
}

/** A wave of ten minutes, noise, a dip with a stall now and then. */
function secondsOf(step: string, role: StatementKind, { run, making, client }: Doing): SecondRow[] {
  const { random, seconds } = making;
  const isPaced = isQueryStep(step) && role !== 'query';
  const perStatement = role === 'query' ? 1 : step === 'l.i2' ? 5 : 50;
  const mean = isPaced ? targetOf(step) : 70_000 * (run.speed ?? 1) * (perStatement < 50 ? 0.2 : 1);
  return Array.from({ length: seconds }, (_, second) => {
    const wave = isPaced ? 1 : 1 + 0.13 * Math.sin((second + 40 * client) / 95);
    const isDip = !isPaced && second % 271 > 268;
    const noise = 1 + 0.05 * normal(random);
    const rows = Math.max(0, mean * wave * noise * (isDip ? 0.45 : 1));
    const ops = Math.round(rows / perStatement);
    const stall = isDip ? 150_000 * (1 + random()) : 0;
    const maxUs = ops === 0 ? 0 : Math.round(3500 * Math.exp(0.35 * normal(random)) + stall);
    return { client, kind: role, second, ops, rows: ops * perStatement, maxUs };
  });
}

function workerOf(
  role: Role,
  client: number,
  own: readonly SecondRow[],
  { seconds, random }: Making,
): WorkerResult {
  const operations = own.reduce((sum, { ops }) => sum + ops, 0);
  return {
    client,
    role,
    pid: 100 * client + role.length,
    backendPid: 200 * client + role.length,
    finishedS: seconds,
    operations,
    rows: role === 'query' ? 10 * operations : own.reduce((sum, { rows }) => sum + rows, 0),
    retries: 0,
    errors: 0,
    cpu: { user: 0.1 * seconds, system: 0.03 * seconds },
    backendCpu: { user: 0.5 * seconds, system: 0.1 * seconds },
    waitServerS: 0.9 * seconds,
    generateS: 0.05 * seconds,
    waitQueueS: 0,
    resync: null,
    times: [timesOf(own, operations, random)],
  };
}

/** Times of 40 statements a second stand for all: a body around 0.7 ms and the slowest of each second. */
function timesOf(own: readonly SecondRow[], count: number, random: () => number): TimesResult {
  const counts = new Uint32Array(4096);
  const decimal = Array.from({ length: 10 }, () => 0);
  const add = (us: number, times: number): void => {
    const ticks = Math.round(us * 10);
    counts[bucketIndex(ticks)]! += times;
    decimal[decimalIndex(ticks)]! += times;
  };
  let left = count;
  for (const { maxUs, ops } of own) {
    if (ops === 0) continue;
    add(maxUs, 1);
    left--;
    const each = Math.floor((ops - 1) / 40);
    for (let i = 0; i < 40; i++) {
      add(Math.min(maxUs, 700 * Math.exp(0.4 * normal(random))), each);
      left -= each;
    }
  }
  add(700, Math.max(0, left));
  const maxUs = own.reduce((most, row) => Math.max(most, row.maxUs), 0);
  return {
    clock: 'service',
    count,
    maxUs,
    sumUs: 700 * count,
    decimal,
    buckets: sparseCounts(counts),
  };
}

function samplesOf(
  { devices = true, speed = 1 }: GeneratedRun,
  { seconds, random }: Making,
): OsSample[] {
  const nothing = { b: 0, swpd: 0, free: 1e6, buff: 1e5, cache: 1e7, si: 0, so: 0, bi: 0, bo: 1e5 };
  return Array.from({ length: seconds }, (_, i) => {
    const us = 42 + 4 * normal(random);
    const sy = 12 + 2 * normal(random);
    const writes = 3000 * (1 + 0.2 * normal(random)) * speed;
    return {
      second: i + 1,
      vm: {
        ...nothing,
        r: Math.max(0, Math.round(4 + normal(random))),
        interrupts: 20_000,
        cs: Math.max(0, 27_000 * (1 + 0.06 * normal(random))),
        us,
        sy,
        idle: 100 - us - sy - 3,
        wa: 3,
        st: 0,
        gu: 0,
      },
      io: devices
        ? [
            {
              device: 'nvme0n1',
              readsPerS: Math.max(0, 4 * normal(random)),
              readKbPerS: Math.max(0, 64 * normal(random)),
              readAwaitMs: 0.2,
              writesPerS: Math.max(0, writes),
              writeKbPerS: Math.max(0, writes * 16),
              writeAwaitMs: 0.4,
              discardsPerS: 0,
              discardKbPerS: 0,
              discardAwaitMs: 0,
              flushesPerS: Math.max(0, 800 + 40 * normal(random)),
              flushAwaitMs: 1.2 * Math.exp(0.2 * normal(random)),
              queueSize: Math.max(0, 2 + 0.5 * normal(random)),
              utilPct: 70,
            },
          ]
        : [],
    };
  });
}

function counters(moment: 0 | 1, seconds: number): OsCounters {
  const at = moment * (seconds + 0.4);
  const cpu = at * CPUS;
  return {
    atS: at,
    cpu: {
      user: 0.42 * cpu,
      nice: 0,
      system: 0.12 * cpu,
      idle: 0.43 * cpu,
      iowait: 0.03 * cpu,
      irq: 0,
      softirq: 0.06 * cpu,
      steal: 0,
    },
    contextSwitches: Math.round(27_000 * at),
    cpus: CPUS,
    disks: [
      {
        device: 'nvme0n1',
        reads: Math.round(2 * at),
        readSectors: Math.round(64 * at),
        readMs: Math.round(at),
        writes: Math.round(3000 * at),
        writeSectors: Math.round(96_000 * at),
        writeMs: Math.round(1200 * at),
        flushes: Math.round(800 * at),
        flushMs: Math.round(960 * at),
      },
    ],
  };
}

/** Mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Roughly normal, mean 0, deviation 1. */
function normal(random: () => number): number {
  return (random() + random() + random() + random() - 2) * 1.73;
}
