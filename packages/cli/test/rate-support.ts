import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connect,
  type Driver,
  parseWorkload,
  planSteps,
  postgresDialect,
  type StepPlan,
  type StepResult,
  tableNames,
  type Workload,
} from '@ibench/core';
import type { OwnServer } from '@ibench/host';
import { closeStore, createRun, openStore, type Store, startStep } from '@ibench/store';
import { openRunLog } from '../src/logger.ts';
import { clientEntry } from '../src/paths.ts';
import { applicationName } from '../src/run/context.ts';
import { runLoadStep } from '../src/run/load-step.ts';
import { type Observers, openObservers } from '../src/run/observers.ts';
import { Progress } from '../src/run/progress.ts';
import { startServer } from './support.ts';

const RUN_ID = 'steps';
const OWN_NAME = 'test';

/** Statements that change rows are in the log with time and connection; a step can ask for all. */
const CONFIG = `
shared_buffers = 128MB
max_parallel_workers_per_gather = 0
log_line_prefix = '%n %p %a '
log_statement = 'mod'
log_parameter_max_length = 0
`;

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A statement in the server's log. */
export interface LoggedStatement {
  /** When it started, ms. */
  readonly atMs: number;
  readonly backendPid: number;
  /** Which connection: `insert/1`, `query/1.2`. */
  readonly connection: string;
  /** `statement` for text, `execute` for what was prepared. */
  readonly protocol: 'statement' | 'execute';
  readonly sql: string;
}

/** What a step did, with what the server and the store say about it. */
export interface StepRun {
  readonly step: StepPlan;
  readonly result: StepResult;
  readonly log: readonly LoggedStatement[];
  readonly stepKey: number;
}

/** A real server on which single steps of the benchmark are run as the program runs them. */
export interface Bench {
  readonly store: Store;
  /** Makes the tables anew and runs l.i0 and, where it is wanted, the index builds. */
  load(parameters: Record<string, unknown>, options?: LoadOptions): Promise<StepRun>;
  /** Runs one step of the workload last loaded, with changes to its plan. */
  step(name: string, change?: Partial<StepPlan>, parameters?: object): Promise<StepRun>;
  /** Which driver the workers of later steps connect with; libpq until then. */
  useDriver(driver: Driver): void;
  /** The log of the step under way, or of the last one. */
  log(): LoggedStatement[];
  /** How often the server has been asked for its connections, but by samples. */
  timesAsked(): number;
  /** Runs a statement on a connection of its own; not while a step starts, which wants to be alone. */
  sql(statement: string): Promise<Row[]>;
  close(): Promise<void>;
}

export interface LoadOptions {
  /** Id of the first row. */
  readonly firstId?: number;
  readonly indexes?: boolean;
}

/**
 * Starts a server in a temporary folder; `close` removes both.
 *
 * @param options.intervalS time between samples of the server in its steps; 0: none
 */
export async function openBench({ intervalS = 0 } = {}): Promise<Bench> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-steps-'));
  fs.chmodSync(directory, 0o755);
  const server = await startServer(directory, CONFIG, {
    applicationName: applicationName(RUN_ID, 'runner'),
  });
  const bench = new ServerBench(server, directory);
  await bench.observe(intervalS);
  return bench;
}

class ServerBench implements Bench {
  readonly store: Store;
  readonly #server: OwnServer;
  readonly #directory: string;
  #driver: Driver = 'libpq';
  #parameters: Record<string, unknown> = {};
  #observers: Observers | null = null;
  #runs = 0;
  #asked = 0;
  #logStart = 0;

  constructor(server: OwnServer, directory: string) {
    const backends = () => {
      this.#asked += 1;
      return server.backends();
    };
    const connect = (name: string): Connect => {
      const by = server.connect(name);
      return this.#driver === 'libpq' ? by : { driver: this.#driver, conninfo: by.conninfo };
    };
    this.#server = { ...server, backends, connect };
    this.#directory = directory;
    this.store = openStore(path.join(directory, 'store.sqlite'));
  }

  /** Its connections end with the server. */
  async observe(intervalS: number): Promise<void> {
    this.#observers = await openObservers(this.#server, RUN_ID, intervalS, () => {});
  }

  async load(
    parameters: Record<string, unknown>,
    { firstId, indexes = true }: LoadOptions = {},
  ): Promise<StepRun> {
    this.#parameters = parameters;
    const workload = parseWorkload(parameters, 'test');
    const options = { ...workload, expectedRows: workload.rows };
    await this.sql(`do $$ declare t text; begin
      for t in select relname from pg_class where relname ~ '^pi[0-9]+$' loop
        execute 'drop table ' || t;
      end loop; end $$`);
    await this.#server.createTables(tableNames(workload), options);
    if (firstId !== undefined) {
      await this.sql(`alter sequence pi1_transactionid_seq restart with ${firstId}`);
    }
    const loaded = await this.step('l.i0');
    if (indexes) {
      for (const table of tableNames(workload)) {
        for (const index of postgresDialect.createIndexes(table, options)) await this.sql(index);
        await this.sql(`vacuum analyze ${table}`);
      }
    }
    return loaded;
  }

  async step(
    name: string,
    change: Partial<StepPlan> = {},
    parameters: object = {},
  ): Promise<StepRun> {
    const workload = parseWorkload({ ...this.#parameters, ...parameters }, 'test');
    const planned = planSteps(workload).find((step) => step.name === name) as StepPlan;
    const step = { ...planned, ...change };
    const run = ++this.#runs;
    const directory = path.join(this.#directory, String(run));
    fs.mkdirSync(directory);
    const stepKey = this.#record(workload, step, directory);
    this.#logStart = fs.statSync(this.#server.logPath).size;
    const context = {
      runId: RUN_ID,
      runKey: run,
      workload,
      plan: [step],
      server: this.#server,
      store: this.store,
      directory,
      clientEntry: clientEntry(),
      devices: [],
      pin: { mode: 'none', cpus: [] } as const,
      profiler: null,
      observers: this.#observers,
      limits: { diskReserve: 0, maxForeignCpuPct: 100, maxStealPct: 100 },
      canary: null,
      log: openRunLog(directory),
      progress: new Progress({ write: () => {}, isTTY: false, columns: 80 }),
      signal: new AbortController().signal,
    };
    const result = await runLoadStep(context, step, stepKey);
    return { step, result, log: this.log(), stepKey };
  }

  useDriver(driver: Driver): void {
    this.#driver = driver;
  }

  timesAsked(): number {
    return this.#asked;
  }

  log(): LoggedStatement[] {
    return parseLog(fs.readFileSync(this.#server.logPath).subarray(this.#logStart).toString());
  }

  async sql(statement: string): Promise<Row[]> {
    const note = path.join(this.#directory, 'server.json');
    const { socketDirectory } = JSON.parse(fs.readFileSync(note, 'utf8'));
    const socket = fs.readdirSync(socketDirectory).find((name) => /^\.s\.PGSQL\.\d+$/.test(name));
    const client = postgres({
      host: socketDirectory,
      port: Number(socket?.slice('.s.PGSQL.'.length)),
      database: 'ib',
      username: 'ibench',
      max: 1,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: OWN_NAME },
    });
    try {
      return [...(await client.unsafe(statement))];
    } finally {
      await client.end({ timeout: 1 });
      await this.#untilGone();
    }
  }

  async close(): Promise<void> {
    closeStore(this.store);
    await this.#server.stop();
    fs.rmSync(this.#directory, { recursive: true, force: true });
  }

  /** A step starts on a server that has no connections but the runner's. */
  async #untilGone(): Promise<void> {
    while ((await this.#server.backends()).some((one) => one.applicationName === OWN_NAME)) {
      await sleep(5);
    }
  }

  #record(workload: Workload, step: StepPlan, directory: string): number {
    const startedAt = new Date().toISOString();
    const runKey = createRun(this.store, {
      runId: path.basename(directory),
      tag: 'test',
      build: 'test',
      config: 'test',
      workload: 'test',
      clients: workload.clients,
      startedAt,
      directory,
      runnerPid: process.pid,
      runnerStart: '',
      seed: workload.seed,
      toolVersion: 'test',
      commandLine: '',
    });
    const { seq, name, kind } = step;
    return startStep(this.store, runKey, { seq, step: name, kind, startedAt });
  }
}

/** The statements in the log, in order; lines that are none of ours are left out. */
function parseLog(text: string): LoggedStatement[] {
  const line = /^(\d+\.\d+) (\d+) ibench\/steps\/(\S+) LOG: {2}(statement|execute \S+): (.*)$/;
  return text.split('\n').flatMap((one) => {
    const match = line.exec(one);
    if (match === null) return [];
    const [at, pid, connection, protocol, sql] = match.slice(1) as [string, ...string[]];
    return [
      {
        atMs: Number(at) * 1000,
        backendPid: Number(pid),
        connection: connection as string,
        protocol: protocol === 'statement' ? ('statement' as const) : ('execute' as const),
        sql: sql as string,
      },
    ];
  });
}

/** The package that host uses: this package has no business with the server but in tests. */
const postgres = createRequire(import.meta.resolve('@ibench/host'))('postgres') as (
  options: object,
) => {
  unsafe(statement: string): Promise<Row[]>;
  end(options: { timeout: number }): Promise<void>;
};
