import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { type End, SHARED_HOST, temporaryDirectory } from './support.ts';

const IBENCH = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** A workload that is over in seconds, and a host that is never too busy for it. */
const QUICK = `
workloads: [tiny]
set: {rows: 20000, l_i1_rows: 500, l_i2_rows: 100, settle_seconds: 0, read_write_seconds: 1}
host: {max_load: 100000, allow_other_postgres: true, wait: 0s}
`;

/** A plan's file and where its runs go. */
export interface TestPlan {
  readonly file: string;
  readonly directory: string;
}

/** Writes a plan; `text` is all but workloads and host. After the test nothing of it is left. */
export function testPlan(t: TestContext, text: string): TestPlan {
  const directory = temporaryDirectory(t);
  const file = path.join(directory, 'plan.yaml');
  fs.writeFileSync(file, `${text}${QUICK}`);
  return { file, directory };
}

/** One `ibench plan …` as a child process. */
export interface PlanCommand {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<End>;
}

/** Starts `ibench plan <command>` in a process group of its own; it is killed after the test. */
export function startPlan(
  t: TestContext,
  plan: TestPlan,
  command: string,
  ...args: readonly string[]
): PlanCommand {
  const isRunner = command === 'run' || command === 'resume';
  const runner = isRunner ? [...SHARED_HOST, '--canary', 'off'] : [];
  const all = [
    IBENCH,
    'plan',
    command,
    plan.file,
    '--runs-dir',
    plan.directory,
    ...runner,
    ...args,
  ];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  t.after(() => child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      printed[name] += chunk.toString();
    });
  }
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
}

/** Rows of a query of the plan's store. */
export function rowsOf({ directory }: TestPlan, sql: string): Record<string, unknown>[] {
  const file = path.join(directory, 'ibench.sqlite');
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

/** What there is of the plan beside its results: processes, data, notes, directories for sockets. */
export function leftoversOf({ directory }: TestPlan): string[] {
  return [...processesIn(directory), ...filesIn(directory), ...socketsFor(directory)];
}

function processesIn(directory: string): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const place = fs.readlinkSync(`/proc/${pid}/cwd`);
        return `${command} ${place}`.includes(directory) ? [`process ${pid}: ${command}`] : [];
      } catch {
        return [];
      }
    });
}

function filesIn(directory: string): string[] {
  const names = ['data', 'data-kept', 'server.json', 'kept.json'];
  return fs
    .readdirSync(directory)
    .flatMap((run) => names.map((name) => path.join(directory, run, name)))
    .filter((file) => fs.existsSync(file));
}

function socketsFor(directory: string): string[] {
  return fs
    .readdirSync(os.tmpdir())
    .filter((name) => name.startsWith('ibench-'))
    .map((name) => path.join(os.tmpdir(), name, 'run'))
    .filter((mark) => fs.existsSync(mark) && fs.readFileSync(mark, 'utf8').startsWith(directory));
}
