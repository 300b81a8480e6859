import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEP_NAMES } from '@ibench/core';
import { serverUser } from '@ibench/host';
import Database from 'better-sqlite3';
import { SHARED_HOST } from './support.ts';

/**
 * The whole tool as users have it: as root, where the server runs as another user, and as an ordinary
 * user; from a clone, and with paths, that have blanks and quotes in them. As root all of it is tried,
 * as an ordinary user the part that is for one.
 */
const CLONE = fileURLToPath(new URL('../../../../', import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };
const STATE = '/var/lib/ibench';

const WORKLOAD = {
  rows: 20_000,
  l_i1_rows: 500,
  l_i2_rows: 100,
  read_write_seconds: 1,
  settle_seconds: 0,
};

/** Everything of this test is below. */
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-user-'));

interface Choice {
  readonly clone: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** HOME and TMPDIR. */
  readonly home: string;
  readonly args: readonly string[];
}

function run({ clone, user, home, args }: Choice) {
  const set = Object.entries(WORKLOAD).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const program = path.join(clone, 'packages', 'cli', 'bin', 'ibench.js');
  return spawnSync(
    process.execPath,
    [program, 'run', ...SHARED_HOST, '--preset', 'tiny', ...set, ...args],
    {
      encoding: 'utf8',
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home },
      ...user,
    },
  );
}

/** Makes a directory below the base, for a user. */
function makeDirectory(name: string, mode: number, user?: typeof NOBODY): string {
  const directory = path.join(base, name);
  fs.mkdirSync(directory);
  fs.chmodSync(directory, mode);
  if (user !== undefined) fs.chownSync(directory, user.uid, user.gid);
  return directory;
}

/** What a user of the tool runs: no sources, no tests. Linked where that is possible and open to all. */
function copyClone(name: string): string {
  const copy = makeDirectory(name, 0o755);
  const parts = ['package.json', 'packages', 'configs', 'node_modules'];
  const sources = parts.map((part) => path.join(CLONE, part));
  const linked = spawnSync('cp', ['-al', ...sources, copy]).status === 0;
  if (linked && isOpen(copy)) return copy;
  for (const part of parts) fs.rmSync(path.join(copy, part), { recursive: true, force: true });
  assert.equal(spawnSync('cp', ['-a', ...sources, copy]).status, 0);
  spawnSync('chmod', ['-R', 'a+rX', copy]);
  return copy;
}

function isOpen(clone: string): boolean {
  const program = path.join(clone, 'packages', 'cli', 'bin', 'ibench.js');
  return spawnSync(process.execPath, [program, '--version'], { cwd: '/', ...NOBODY }).status === 0;
}

/** The run is done, complete in the store, and nothing is left beside its folder and the store. */
function checkRun(result: ReturnType<typeof run>, store: string): { directory: string } {
  assert.equal(result.status, 0, result.stderr);
  for (const step of STEP_NAMES) assert.ok(result.stdout.includes(step), step);
  const db = new Database(store, { readonly: true });
  try {
    const runs = db.prepare('select status, directory from runs').all() as Record<string, string>[];
    assert.equal(runs.length, 1);
    assert.equal(runs[0]?.status, 'done');
    const steps = db.prepare(`select step from metrics where status = 'done' order by seq`).all();
    assert.deepEqual(
      steps,
      STEP_NAMES.map((step) => ({ step })),
    );
    const directory = runs[0]?.directory as string;
    for (const name of ['data', 'server.json']) {
      assert.equal(fs.existsSync(path.join(directory, name)), false, name);
    }
    assert.match(fs.readFileSync(path.join(directory, 'server.log'), 'utf8'), /shut down\n$/);
    return { directory };
  } finally {
    db.close();
  }
}

after(() => fs.rmSync(base, { recursive: true, force: true }));
before(() => fs.chmodSync(base, 0o755));

describe('an ordinary user', () => {
  const user = IS_ROOT ? { user: NOBODY } : {};
  const owner = IS_ROOT ? NOBODY : undefined;

  it('runs the benchmark from a clone that is not its own, with blanks and quotes in every path', () => {
    const clone = IS_ROOT ? copyClone(`it's a clone`) : CLONE;
    const home = makeDirectory(`my "home"`, 0o700, owner);
    const store = path.join(home, `it's the "db".sqlite`);
    const args = ['--runs-dir', path.join(home, `it's my "runs"`), '--db', store];
    args.push('--data-dir', path.join(home, `the "data", it's $HOME`, 'data'));
    const { directory } = checkRun(run({ clone, home, args, ...user }), store);
    const uid = IS_ROOT ? NOBODY.uid : process.getuid?.();
    for (const file of [store, directory]) assert.equal(fs.statSync(file).uid, uid);
    assert.equal(fs.statSync(directory).mode & 0o777, 0o700);
    const names = fs.readdirSync(home).filter((name) => !/-(shm|wal)$/.test(name));
    assert.deepEqual(names.sort(), [
      `it's my "runs"`,
      `it's the "db".sqlite`,
      `the "data", it's $HOME`,
    ]);
    assert.deepEqual(fs.readdirSync(path.join(home, `the "data", it's $HOME`)), []);
  });
});

const forRoot = IS_ROOT ? describe : () => {};

forRoot('root', () => {
  const home = (): string => makeDirectory(`root ${fs.readdirSync(base).length}`, 0o700);
  const serverName = (): string => serverUser(undefined)?.name as string;

  it('runs the server as another user, with its data in the run’s folder', () => {
    const runs = path.join(makeDirectory(`runs of "root"`, 0o755), `it's here`);
    const store = path.join(base, `root's "db".sqlite`);
    const args = ['--runs-dir', runs, '--db', store];
    const result = run({ clone: CLONE, home: home(), args });
    const { directory } = checkRun(result, store);
    assert.equal(path.dirname(directory), runs);
    assert.match(result.stderr, new RegExp(`the server runs as user ${serverName()}`));
    if (isOpen(CLONE)) assert.doesNotMatch(result.stderr, /\/var\/lib/);
  });

  it('runs from a clone that is closed to the server’s user, and into runs that are too', (t) => {
    const builds = path.join(STATE, 'builds');
    const listed = (): string[] => (fs.existsSync(builds) ? fs.readdirSync(builds) : []);
    const existing = listed();
    t.after(() => {
      const made = listed().filter((name) => !existing.includes(name));
      for (const name of made) fs.rmSync(path.join(builds, name), { recursive: true });
    });
    const clone = copyClone(`it's a closed clone`);
    fs.chmodSync(clone, 0o700);
    const result = run({ clone, home: home(), args: [] });
    const { directory } = checkRun(result, path.join(clone, 'runs', 'ibench.sqlite'));
    // It is said when the copy is made, which an earlier run on this host may have done.
    if (existing.length === 0) {
      assert.match(result.stderr, /cannot run what is in .*closed clone\/.*\/native/);
    }
    const data = path.join(STATE, 'data', path.basename(directory));
    assert.ok(result.stderr.includes(`cannot enter ${clone}: the server's data is in ${data}`));
    assert.equal(fs.existsSync(data), false);
  });

  it('is told when the place it named for the data is closed to the server’s user', () => {
    const closed = makeDirectory('closed', 0o700);
    const args = ['--runs-dir', path.join(closed, 'runs'), '--data-dir', path.join(closed, 'data')];
    const result = run({ clone: CLONE, home: home(), args });
    assert.equal(result.status, 1);
    assert.match(
      result.stderr,
      new RegExp(`user ${serverName()}, who runs the server, cannot enter ${closed}: open it`),
    );
  });
});
