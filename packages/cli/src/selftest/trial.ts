import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunError, type RunRecord, type StepRecord } from '@ibench/core';
import { closeStore, loadRuns, openStore, readView, type Store } from '@ibench/store';
import { programEntry, STORE_NAME } from '../paths.ts';

/** A run that is over in seconds, but for its read-write steps: what is done to it is done in the first. */
const WORKLOAD = {
  rows: 5000,
  l_i1_rows: 100,
  l_i2_rows: 50,
  settle_seconds: 0,
  read_write_seconds: 20,
};

/** How a throw-away run differs from the usual one. */
export interface TrialChoice {
  readonly set?: Readonly<Record<string, number>>;
  /** Text of the server's configuration. */
  readonly config?: string;
  readonly dataDirectory?: string;
  readonly diskReserve?: string;
  readonly maxForeignCpuPct?: number;
}

/** How a program ended. */
export interface TrialEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process of the load generator, as the run's log names it. */
interface LoggedProcess {
  readonly role: string;
  readonly pid: number;
  readonly backendPid: number | null;
}

/** One `ibench run` as a child process, which something is done to. */
export class Trial {
  readonly runsDirectory: string;
  readonly ended: Promise<TrialEnd>;
  readonly #child: ChildProcess;
  #printed = '';

  /** @param directory an empty one, in which everything is; the server's user can enter it */
  constructor(directory: string, choice: TrialChoice = {}) {
    this.runsDirectory = path.join(directory, 'runs');
    this.#child = spawn(process.execPath, [programEntry(), ...argumentsOf(directory, choice)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString();
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** What it has said so far. */
  get printed(): string {
    return this.#printed;
  }

  /** The last run of its store; null: there is none yet. */
  record(): RunRecord | null {
    return this.#read((store) => loadRuns(store).at(-1) ?? null);
  }

  /** Reads something of its store; null: there is none yet. */
  #read<T>(work: (store: Store) => T): T | null {
    const file = path.join(this.runsDirectory, STORE_NAME);
    try {
      const store = openStore(file, { readonly: true });
      try {
        return work(store);
      } finally {
        closeStore(store);
      }
    } catch {
      return null;
    }
  }

  step(name: string): StepRecord | null {
    return this.record()?.steps.find(({ step }) => step === name) ?? null;
  }

  /** The run's folder. */
  folder(): string {
    const { runId } = this.record() as RunRecord;
    return path.join(this.runsDirectory, runId);
  }

  /** Waits until the first second of a step is in the store: that its workers have connected says too little. */
  async untilUnderWay(step: string): Promise<void> {
    await this.until(`${step} is under way`, () => this.#read((s) => hasSeconds(s, step)) ?? false);
  }

  async untilDone(step: string): Promise<void> {
    await this.until(`${step} is done`, () => this.step(step)?.status === 'done');
  }

  /** Waits until a condition is met, which may throw until then. @throws RunError when the run ends first */
  async until(what: string, condition: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    let isOver = false;
    void this.ended.then(() => {
      isOver = true;
    });
    for (;;) {
      if (holds(condition)) return;
      if (isOver) throw new RunError(`the run ended before ${what}: ${this.#printed.slice(-500)}`);
      if (performance.now() > end) throw new RunError(`not in time: ${what}`);
      await sleep(50);
    }
  }

  /** The processes of a step's workers; none before all have connected. */
  processes(step: string): LoggedProcess[] {
    const lines = fs.readFileSync(path.join(this.folder(), 'run.log'), 'utf8').split('\n');
    return lines
      .filter((line) => line.includes('"processes"') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as { step: string; processes: LoggedProcess[] })
      .filter((entry) => entry.step === step)
      .flatMap(({ processes }) => processes);
  }

  /** The process of client 1 with a role, or its backend. */
  pidOf(step: string, role: string, kind: 'pid' | 'backendPid'): number {
    const pid = this.processes(step).find((one) => one.role === role)?.[kind];
    if (typeof pid !== 'number') throw new RunError(`${step} has no ${role}`);
    return pid;
  }

  dataDirectory(): string {
    const note = fs.readFileSync(path.join(this.folder(), 'server.json'), 'utf8');
    return (JSON.parse(note) as { dataDirectory: string }).dataDirectory;
  }

  postmaster(): number {
    const file = path.join(this.dataDirectory(), 'postmaster.pid');
    return Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
  }
}

/** For slow machines: nothing that is waited for takes a tenth of it on others. */
const PATIENCE_MS = 120_000;

function holds(condition: () => boolean): boolean {
  try {
    return condition();
  } catch {
    return false;
  }
}

function argumentsOf(directory: string, choice: TrialChoice): string[] {
  const config = path.join(directory, 'selftest.conf');
  if (choice.config !== undefined) fs.writeFileSync(config, choice.config);
  const options: Record<string, string | undefined> = {
    '--preset': 'tiny',
    '--runs-dir': path.join(directory, 'runs'),
    '--tag': 'selftest',
    '--canary': 'off',
    '--disk-reserve': choice.diskReserve ?? '0',
    '--max-foreign-cpu': String(choice.maxForeignCpuPct ?? 100),
    '--max-steal': '100',
    '--config': choice.config === undefined ? undefined : config,
    '--data-dir': choice.dataDirectory,
  };
  const sets = Object.entries({ ...WORKLOAD, ...choice.set });
  return [
    'run',
    '--allow-concurrent',
    ...Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : [name, value],
    ),
    ...sets.flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ];
}

function hasSeconds(store: Store, step: string): boolean {
  const { columns, rows } = readView(store, 'per_second');
  const at = columns.indexOf('step');
  for (const row of rows) if (row[at] === step) return true;
  return false;
}
