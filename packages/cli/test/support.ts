import assert from 'node:assert/strict';
import {
  type ChildProcess,
  execFileSync,
  type StdioOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Build,
  findBuild,
  isRunning,
  loadConfig,
  type OwnServer,
  processToken,
  resolveConfig,
  type ServerConfig,
  serverUser,
  startPostgres,
} from '@ibench/host';
import Database from 'better-sqlite3';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** A run that is over in seconds, but for the read-write steps: those last until something happens. */
const SMALL = {
  rows: 20_000,
  l_i1_rows: 500,
  l_i2_rows: 100,
  settle_seconds: 0,
  read_write_seconds: 300,
};

/** Options for a run beside those of other tests, on a host whose hypervisor may be busy as well. */
export const SHARED_HOST = [
  '--allow-concurrent',
  ...['--max-foreign-cpu', '100', '--max-steal', '100'],
];

/** How a program ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One `ibench run` as a child process. */
export interface Run {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its label: no other run has it. */
  readonly tag: string;
  readonly runsDirectory: string;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<End>;
}

export interface RunChoice {
  /** Workload parameters beside those of SMALL. */
  readonly set?: Readonly<Record<string, number>>;
  /** Text of the server's configuration; the default is the tool's. */
  readonly config?: string;
  readonly args?: readonly string[];
  readonly canary?: string;
  readonly runsDirectory?: string;
  readonly stdio?: StdioOptions;
  /** Program and arguments that come first. */
  readonly wrapper?: readonly string[];
}

/** Starts `ibench run`, in a process group of its own. After the test nothing of it is left. */
export function startRun(t: TestContext, choice: RunChoice = {}): Run {
  const runsDirectory = choice.runsDirectory ?? temporaryDirectory(t);
  const tag = `test-${process.pid}-${++runs}`;
  const args = [
    CLI,
    'run',
    ...SHARED_HOST,
    '--preset',
    'tiny',
    '--runs-dir',
    runsDirectory,
    '--tag',
    tag,
  ];
  // A second around each run, of which the tests make many.
  args.push('--canary', choice.canary ?? 'off');
  for (const [name, value] of Object.entries({ ...SMALL, ...choice.set })) {
    args.push('--set', `${name}=${value}`);
  }
  if (choice.config !== undefined) args.push('--config', configFile(t, choice.config));
  const command = [...(choice.wrapper ?? []), process.execPath, ...args, ...(choice.args ?? [])];
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: choice.stdio ?? ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
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
  const { stdout, stderr } = { stdout: () => printed.stdout, stderr: () => printed.stderr };
  const run: Run = { child, pid: child.pid ?? -1, tag, runsDirectory, stdout, stderr, ended };
  undo(t, () => destroy(run));
  return run;
}

let runs = 0;

/** Registers what to do after the test, last first (node runs its own in the order they came). */
function undo(t: TestContext, work: () => unknown): void {
  const works = undos.get(t) ?? [];
  if (works.length === 0) {
    undos.set(t, works);
    t.after(async () => {
      for (const one of works.reverse()) await one();
    });
  }
  works.push(work);
}

const undos = new WeakMap<TestContext, (() => unknown)[]>();

/** A small file system of its own, mounted for the test by root, or by `testWithSmallDisks`. */
export function smallDisk(t: TestContext, megabytes: number): string {
  if (process.env[DISKS] !== undefined) return path.join(process.env[DISKS], String(megabytes));
  const directory = temporaryDirectory(t);
  const options = `size=${megabytes}m,mode=755`;
  system('mount', '-t', 'tmpfs', '-o', options, 'ibench-test', directory);
  undo(t, () => system('umount', directory));
  return directory;
}

function system(program: string, ...args: readonly string[]): void {
  execFileSync(program, args);
}

const DISKS = 'IBENCH_TEST_DISKS';
const UNSHARE = 'unshare';

/** Can `smallDisk` be used here? */
export function hasSmallDisks(): boolean {
  return process.getuid?.() === 0 || process.env[DISKS] !== undefined;
}

/**
 * Runs a test file in namespaces where an ordinary user may mount: the outer one for the mounts, in
 * which the user is root, and the inner one where the user is again who it was.
 *
 * @returns the exit code and everything printed
 */
export function testWithSmallDisks(t: TestContext, file: string, megabytes: readonly number[]) {
  const disks = temporaryDirectory(t);
  for (const size of megabytes) fs.mkdirSync(path.join(disks, String(size)));
  const mounts = megabytes.map((size) => `mount -t tmpfs -o size=${size}m none "$0/${size}" && `);
  const back = `--map-user=${process.getuid?.()} --map-group=${process.getgid?.()}`;
  const script = `${mounts.join('')}exec unshare --user ${back} "$@"`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['-rm', '/bin/sh', '-c', script, disks, process.execPath, '--test', file];
  return spawnSync(UNSHARE, args, { env: { ...env, [DISKS]: disks }, encoding: 'utf8' });
}

/** A directory that every user can enter and that is removed after the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  fs.chmodSync(directory, 0o755);
  undo(t, () => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A configuration with this text, as if it stood in a file. */
function configOf(text: string, build: Build): ServerConfig {
  return resolveConfig(
    loadConfig('test.conf', () => text),
    { build, memoryBytes: 0 },
  );
}

/** Starts a server that is not a run's, with this configuration; folder and server are the caller's to remove. */
export async function startServer(
  directory: string,
  config: string,
  { listenPort = null as number | null, applicationName = 'test' } = {},
): Promise<OwnServer> {
  const build = await findBuild(undefined);
  return await startPostgres({
    build,
    config: configOf(config, build),
    user: serverUser(undefined),
    runDirectory: directory,
    dataDirectory: path.join(directory, 'data'),
    keepData: false,
    listenPort,
    library: null,
    driver: 'libpq',
    spin: false,
    applicationName,
    say: () => {},
  });
}

function configFile(t: TestContext, text: string): string {
  const file = path.join(temporaryDirectory(t), 'test.conf');
  fs.writeFileSync(file, text);
  return file;
}

/** Waits until the condition gives a value; it may throw as long as it is not met. */
export async function until<T>(
  what: string,
  condition: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  boundMs = 90_000,
): Promise<T> {
  const end = performance.now() + boundMs;
  let why: unknown;
  do {
    try {
      const value = await condition();
      if (value !== null && value !== undefined && value !== false) return value;
    } catch (error) {
      why = error;
    }
    await sleep(25);
  } while (performance.now() < end);
  throw new assert.AssertionError({ message: `not within ${boundMs / 1000} s: ${what}; ${why}` });
}

type Columns = Readonly<Record<string, string | number | null>>;

/** Rows of a query of the run's store; its parameter :tag is the run's tag. */
export function query(run: Run, sql: string): Columns[] {
  const db = new Database(path.join(run.runsDirectory, 'ibench.sqlite'), {
    readonly: true,
    fileMustExist: true,
  });
  try {
    return db.prepare(sql).all({ tag: run.tag }) as Columns[];
  } finally {
    db.close();
  }
}

/** The run in the store. */
export function runRow(run: Run): Columns {
  const [row] = query(run, 'SELECT * FROM runs WHERE tag = :tag');
  assert.ok(row, 'the run is not in the store');
  return row;
}

/** Status of each step of the run, in their order: `l.i0 done`. */
export function steps(run: Run): string[] {
  const rows = query(run, 'SELECT step, status FROM steps WHERE tag = :tag ORDER BY seq');
  return rows.map(({ step, status }) => `${step} ${status}`);
}

/** Waits until a step is under way and its first seconds are in the store. */
export function untilMeasured(run: Run, step: string): Promise<true> {
  return until(
    `${step} is under way`,
    () => measured(run, step) > 0 && steps(run).includes(`${step} running`) && (true as const),
  );
}

/** Waits until a step is marked as failed: long before it would have been over. */
export function untilStepFailed(run: Run, step: string): Promise<true> {
  return until(
    `${step} is marked as failed`,
    () => steps(run).includes(`${step} failed`) && (true as const),
  );
}

/** What the store and the user are told about a step that failed, and that it has no numbers. */
export function checkFailure(
  run: Run,
  step: string,
  expected: { readonly message: string | RegExp; readonly sqlstate: string | RegExp | null },
): void {
  const [row] = query(run, `SELECT * FROM steps WHERE tag = :tag AND step = '${step}'`);
  const message = String(row?.message);
  if (expected.message instanceof RegExp) assert.match(message, expected.message);
  else assert.equal(message, expected.message);
  if (expected.sqlstate instanceof RegExp) assert.match(String(row?.sqlstate), expected.sqlstate);
  else assert.equal(row?.sqlstate, expected.sqlstate);
  assert.equal(runRow(run).status, 'failed');
  assert.equal(runRow(run).message, `${step}: ${message}`);
  assert.ok(run.stderr().includes(message), run.stderr());
  checkNoNumbers(run, step);
  if (step !== 'settle') assert.ok(measured(run, step) > 0, 'what was measured is lost');
}

/** A step that is not done has no metrics; what it did until then is kept all the same. */
export function checkNoNumbers(run: Run, step: string): void {
  const [metrics] = query(run, `SELECT * FROM metrics WHERE tag = :tag AND step = '${step}'`);
  const numbers = Object.keys(metrics ?? {}).slice(IDENTITY_COLUMNS);
  assert.ok(numbers.includes('ips') && numbers.includes('seconds'));
  assert.deepEqual([...new Set(numbers.map((name) => metrics?.[name]))], [null]);
}

/** Columns of the metrics view that say which step it is: run_id … status. */
const IDENTITY_COLUMNS = 9;

/** The steps before the first read-write step. */
export const LOADED = ['l.i0 done', 'l.x done', 'l.i1 done', 'l.i2 done', 'settle done'];

/** Waits until a step has begun; it may not have done anything yet. */
export function untilRunning(run: Run, step: string): Promise<true> {
  return until(`${step} runs`, () => steps(run).includes(`${step} running`) && (true as const));
}

/** Statements in the seconds of a step that are in the store. */
export function measured(run: Run, step: string): number {
  const [row] = query(
    run,
    `SELECT coalesce(sum(p.ops), 0) AS ops FROM per_second p JOIN runs USING (run_id)
     WHERE runs.tag = :tag AND p.step = '${step}'`,
  );
  return Number(row?.ops);
}

/** The run's folder. */
export function folderOf(run: Run): string {
  return String(runRow(run).directory);
}

/** Where the run's server is, from the note in the run's folder. */
export interface Note {
  readonly dataDirectory: string;
  readonly socketDirectory: string;
}

export function noteOf(run: Run): Note {
  return JSON.parse(fs.readFileSync(path.join(folderOf(run), 'server.json'), 'utf8')) as Note;
}

/** The postmaster's pid, when it has started. */
export function postmasterOf(run: Run): number {
  const file = path.join(noteOf(run).dataDirectory, 'postmaster.pid');
  return Number.parseInt(fs.readFileSync(file, 'utf8'), 10);
}

/** A process by its id and its token, which no other process ever has. */
export interface Seen {
  readonly pid: number;
  readonly token: string;
  readonly title: string;
}

/** What there is of a run beside its files. */
export interface World {
  readonly note: Note | null;
  readonly processes: readonly Seen[];
  /** Shared memory that its server has made. */
  readonly sharedMemory: readonly string[];
}

/** Everything that belongs to a run now. */
export function worldOf(run: Run): World {
  const note = orNull(() => noteOf(run));
  const postmaster = orNull(() => postmasterOf(run));
  const processes = processesOf(run, note);
  const sharedMemory =
    postmaster === null ? [] : [...systemVSegments(postmaster), ...posixSegments(processes)];
  return { note, processes, sharedMemory };
}

/** Waits until nothing of what was seen of a run is left, nor anything that came after. */
export async function untilNothingLeft(run: Run, seen: World): Promise<void> {
  await until('no process of the run is left', () => {
    const left = [
      ...seen.processes.filter(({ pid, token }) => isRunning(pid, token)),
      ...processesOf(run, seen.note),
    ];
    assert.deepEqual(
      left.map(({ pid, title }) => `${pid} ${title}`),
      [],
    );
    return true;
  });
  assert.deepEqual(seen.sharedMemory.filter(segmentExists), []);
  if (seen.note === null) return;
  assert.equal(fs.existsSync(seen.note.dataDirectory), false, 'the data is still there');
  assert.equal(fs.existsSync(seen.note.socketDirectory), false, 'the socket is still there');
  const note = path.join(folderOf(run), 'server.json');
  assert.equal(fs.existsSync(note), false, 'the note about the server is still there');
}

/**
 * The run's workers (their job names the runner), its server (works in the data directory), and what
 * descends from it.
 */
export function processesOf(run: Run, note: Note | null): Seen[] {
  const all = allProcesses();
  const own = new Set([run.pid]);
  for (let before = 0; before < own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all
    .filter(
      ({ pid, title, directory }) =>
        own.has(pid) ||
        title.includes(`"parentPid":${run.pid},`) ||
        (note !== null && directory === note.dataDirectory),
    )
    .flatMap(({ pid, title }) => {
      const token = processToken(pid);
      return token === null ? [] : [{ pid, token, title }];
    });
}

/** The worker with this role of client 1. */
export function workerOf(run: Run, role: string): number {
  const found = processesOf(run, null).filter(
    ({ title }) => title.includes('"parentPid"') && title.includes(`"role":"${role}"`),
  );
  assert.equal(found.length, 1, `workers with role ${role}`);
  return (found[0] as Seen).pid;
}

function allProcesses() {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const directory = `/proc/${name}`;
    const stat = orNull(() => fs.readFileSync(`${directory}/stat`, 'utf8'));
    if (stat === null) return [];
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return [];
    return [
      {
        pid: Number(name),
        parent: Number(parent),
        title: orNull(() => fs.readFileSync(`${directory}/cmdline`, 'utf8')) ?? '',
        directory: orNull(() => fs.readlinkSync(`${directory}/cwd`).replace(/ \(deleted\)$/, '')),
      },
    ];
  });
}

function systemVSegments(creator: number): string[] {
  return fs
    .readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => Number(fields[4]) === creator)
    .map((fields) => `System V ${fields[1]}`);
}

function posixSegments(processes: readonly Seen[]): string[] {
  const maps = processes.map(({ pid }) =>
    orNull(() => fs.readFileSync(`/proc/${pid}/maps`, 'utf8')),
  );
  return [...new Set(maps.join('\n').match(/\/dev\/shm\/PostgreSQL\.\d+/g) ?? [])];
}

function segmentExists(segment: string): boolean {
  if (segment.startsWith('/')) return fs.existsSync(segment);
  const id = segment.slice('System V '.length);
  const lines = fs.readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
  return lines.some((line) => line.trim().split(/\s+/)[1] === id);
}

/** Removes what a killed postmaster leaves. */
function removeSharedMemory({ sharedMemory }: World): void {
  for (const segment of sharedMemory.filter(segmentExists)) {
    if (segment.startsWith('/')) fs.rmSync(segment);
    else system('ipcrm', '-m', segment.slice('System V '.length));
  }
}

/** Runs one statement on the run's server and gives its rows. */
export async function sql(run: Run, statement: string): Promise<Columns[]> {
  const client = await connectTo(run);
  try {
    return [...(await client.unsafe(statement))];
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** A connection to the server under test, as an administrator makes one. */
export interface Client {
  unsafe(statement: string): Promise<Columns[]>;
  end(options: { timeout: number }): Promise<void>;
}

export async function connectTo(run: Run): Promise<Client> {
  const { socketDirectory } = noteOf(run);
  const socket = await until('the server has a socket', () =>
    fs.readdirSync(socketDirectory).find((name) => /^\.s\.PGSQL\.\d+$/.test(name)),
  );
  return postgres({
    host: socketDirectory,
    port: Number(socket.slice('.s.PGSQL.'.length)),
    database: 'ib',
    username: 'ibench',
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
}

/** The package that host uses: this package has no business with the server but for these tests. */
const postgres = createRequire(import.meta.resolve('@ibench/host'))('postgres') as (
  options: object,
) => Client;

/** Pid of the backend that works for a role of client 1. */
export async function backendOf(run: Run, role: string): Promise<number> {
  const rows = await sql(
    run,
    `select pid from pg_stat_activity where application_name like 'ibench/%/${role}/1'`,
  );
  assert.equal(rows.length, 1, `backends with role ${role}`);
  return Number(rows[0]?.pid);
}

/** Whatever a failed test leaves: its processes by id, its shared memory, its data, its socket. */
async function destroy(run: Run): Promise<void> {
  const world = worldOf(run);
  const { note } = world;
  for (const { pid } of world.processes) kill(pid);
  await run.ended;
  for (const { pid } of processesOf(run, note)) kill(pid);
  removeSharedMemory(world);
  for (const directory of note === null ? [] : [note.dataDirectory, note.socketDirectory]) {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function kill(pid: number): void {
  orNull(() => process.kill(pid, 'SIGKILL'));
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
