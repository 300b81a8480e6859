import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  cleanUpLeftovers,
  removeServerNote,
  type ServerNote,
  writeServerNote,
} from '../src/postgres/leftover.ts';
import { findServerProcesses } from '../src/postgres/server-processes.ts';
import type { Segment } from '../src/postgres/shared-memory.ts';
import { isRunning, processToken } from '../src/process.ts';
import {
  connectionValue,
  IS_ROOT,
  makeDirectory,
  SERVER_UID,
  startTestServer,
} from './server-support.ts';

/** A process that lives until the test ends. */
function startSleeper(t: TestContext, cwd: string): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['600'], { cwd, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  return child as ChildProcess & { readonly pid: number };
}

/** A runner that was killed. */
async function deadRunner(t: TestContext): Promise<Pick<ServerNote, 'runnerPid' | 'runnerToken'>> {
  const child = startSleeper(t, '/');
  const runnerToken = processToken(child.pid) as string;
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  return { runnerPid: child.pid, runnerToken };
}

function readServerNote(runDirectory: string): ServerNote {
  return JSON.parse(fs.readFileSync(path.join(runDirectory, 'server.json'), 'utf8')) as ServerNote;
}

/** A run's folder with a data directory of a server that is not running. */
function makeRun(t: TestContext, mode: number = 0o755) {
  const runDirectory = makeDirectory(t, mode);
  const dataDirectory = path.join(runDirectory, 'data');
  const socketDirectory = path.join(runDirectory, 'ibench-Ab12xy');
  for (const directory of [dataDirectory, socketDirectory]) fs.mkdirSync(directory);
  fs.writeFileSync(path.join(dataDirectory, 'PG_VERSION'), '18\n');
  return { runDirectory, dataDirectory, socketDirectory, sharedMemory: [], keepData: false };
}

/** Cleans up one folder; what was warned of is returned beside what was done. */
async function cleanUp(runDirectory: string) {
  const warnings: string[] = [];
  const leftovers = await cleanUpLeftovers([runDirectory], (text) => warnings.push(text));
  return { leftovers, warnings };
}

const NOTHING = { leftovers: [], warnings: [] };

test('the server of a runner that still runs is left alone', async (t) => {
  const server = await startTestServer(t);
  const runDirectory = path.dirname(server.dataDirectory);
  assert.deepEqual(await cleanUp(runDirectory), NOTHING);
  assert.ok(fs.existsSync(path.join(runDirectory, 'server.json')));
  assert.equal(isRunning(server.pid, processToken(server.pid) as string), true);
  assert.ok((await server.databaseBytes()) > 0);
});

test('the server of a runner that is gone is stopped, and its data removed', async (t) => {
  const server = await startTestServer(t);
  const { dataDirectory } = server;
  const runDirectory = path.dirname(dataDirectory);
  const socketDirectory = connectionValue(server, 'host');
  const runner = await deadRunner(t);
  writeServerNote(runDirectory, {
    ...runner,
    dataDirectory,
    socketDirectory,
    sharedMemory: [],
    keepData: false,
  });
  const processes = findServerProcesses(dataDirectory);
  assert.deepEqual(await cleanUp(runDirectory), {
    leftovers: [{ runDirectory, stoppedPid: server.pid }],
    warnings: [],
  });
  for (const { pid, token } of processes) assert.equal(isRunning(pid, token), false);
  assert.match(await server.exited, /exit code 0/);
  assert.deepEqual(fs.readdirSync(runDirectory), ['server.log']);
  assert.equal(fs.existsSync(socketDirectory), false);
  assert.deepEqual(await cleanUp(runDirectory), NOTHING);
});

test('of a server that was killed the shared memory is removed, and no one else’s', async (t) => {
  const server = await startTestServer(t);
  const { dataDirectory } = server;
  const runDirectory = path.dirname(dataDirectory);
  const note = readServerNote(runDirectory);
  assert.ok(note.sharedMemory.length > 0, 'nothing is noted');
  const pidFile = fs.readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n');
  const [, systemV] = (pidFile[6] as string).trim().split(/\s+/);
  const systemVIsThere = (): boolean =>
    fs
      .readFileSync('/proc/sysvipc/shm', 'utf8')
      .split('\n')
      .some((line) => line.trim().split(/\s+/)[1] === systemV);
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  const own = note.sharedMemory.map(({ file }) => file);
  assert.deepEqual(own.filter(fs.existsSync), own);
  assert.equal(systemVIsThere(), true);
  // Its name was drawn anew by another server since.
  const foreign = `/dev/shm/PostgreSQL.${process.pid}`;
  fs.writeFileSync(foreign, '');
  t.after(() => fs.rmSync(foreign, { force: true }));
  const former: Segment = { file: foreign, inode: fs.statSync(foreign).ino - 1 };
  const sharedMemory = [...note.sharedMemory, former];
  writeServerNote(runDirectory, { ...note, ...(await deadRunner(t)), sharedMemory });
  assert.deepEqual(await cleanUp(runDirectory), {
    leftovers: [{ runDirectory, stoppedPid: null }],
    warnings: [],
  });
  assert.equal(fs.existsSync(foreign), true);
  assert.deepEqual(own.filter(fs.existsSync), []);
  assert.equal(systemVIsThere(), false);
});

test('a server is found without its pid file too, and data to be kept is kept', async (t) => {
  const server = await startTestServer(t);
  const { dataDirectory } = server;
  const runDirectory = path.dirname(dataDirectory);
  const socketDirectory = connectionValue(server, 'host');
  fs.rmSync(path.join(dataDirectory, 'postmaster.pid'));
  const runner = await deadRunner(t);
  writeServerNote(runDirectory, {
    ...runner,
    dataDirectory,
    socketDirectory,
    sharedMemory: [],
    keepData: true,
  });
  const { leftovers } = await cleanUp(runDirectory);
  assert.deepEqual(leftovers, [{ runDirectory, stoppedPid: server.pid }]);
  await server.exited;
  assert.ok(fs.existsSync(path.join(dataDirectory, 'PG_VERSION')));
});

test('a pid that is someone else’s by now is left alone, be it the server’s or the runner’s', async (t) => {
  const run = makeRun(t);
  const stranger = startSleeper(t, run.dataDirectory);
  fs.writeFileSync(path.join(run.dataDirectory, 'postmaster.pid'), `${stranger.pid}\n/data\n`);
  writeServerNote(run.runDirectory, {
    ...run,
    runnerPid: stranger.pid,
    runnerToken: '1@another-boot',
  });
  assert.deepEqual(await cleanUp(run.runDirectory), {
    leftovers: [{ runDirectory: run.runDirectory, stoppedPid: null }],
    warnings: [],
  });
  assert.notEqual(processToken(stranger.pid), null);
  assert.deepEqual(fs.readdirSync(run.runDirectory), []);
});

test('data that is gone, empty or half-made is cleaned up like any other', async (t) => {
  const states = [
    (data: string) => fs.rmSync(data, { recursive: true }),
    (data: string) => fs.rmSync(path.join(data, 'PG_VERSION')),
    (data: string) => fs.renameSync(path.join(data, 'PG_VERSION'), path.join(data, 'pg_wal')),
  ];
  const runner = await deadRunner(t);
  for (const makeState of states) {
    const run = makeRun(t);
    makeState(run.dataDirectory);
    writeServerNote(run.runDirectory, { ...run, ...runner });
    assert.equal((await cleanUp(run.runDirectory)).leftovers.length, 1);
    assert.deepEqual(fs.readdirSync(run.runDirectory), []);
  }
});

test('a note that is no note is told and left, with everything it may mean', async (t) => {
  const texts = ['', '{', 'null', '[]', '{"runnerPid": "1"}', '{"runnerPid": 1}'];
  for (const text of texts) {
    const { runDirectory, dataDirectory } = makeRun(t);
    const note = path.join(runDirectory, 'server.json');
    fs.writeFileSync(note, text);
    const { leftovers, warnings } = await cleanUp(runDirectory);
    assert.deepEqual(leftovers, []);
    assert.equal(warnings.length, 1, text);
    assert.ok(warnings[0]?.startsWith(`${note}: nothing is cleaned up: `), warnings[0]);
    assert.equal(fs.readFileSync(note, 'utf8'), text);
    assert.ok(fs.existsSync(path.join(dataDirectory, 'PG_VERSION')));
  }
});

test('nothing that is not a server’s is removed, whatever a note says', async (t) => {
  const outside = makeDirectory(t);
  fs.writeFileSync(path.join(outside, 'thesis.txt'), 'precious');
  const link = path.join(makeDirectory(t), 'link');
  fs.symlinkSync(outside, link);
  const wrong: Partial<Record<keyof ServerNote, unknown>>[] = [
    { dataDirectory: outside },
    { dataDirectory: link },
    { dataDirectory: path.join(outside, 'thesis.txt') },
    { dataDirectory: '/' },
    { dataDirectory: 'data' },
    { dataDirectory: null },
    { socketDirectory: outside },
    { socketDirectory: `${outside}/../${path.basename(outside)}` },
    { socketDirectory: 7 },
    { sharedMemory: [{ file: path.join(outside, 'thesis.txt'), inode: 1 }] },
    { sharedMemory: [{ file: '/dev/shm/PostgreSQL.1/../../../etc/passwd', inode: 1 }] },
    { sharedMemory: 7 },
  ];
  const runner = await deadRunner(t);
  for (const fields of wrong) {
    const run = makeRun(t);
    writeServerNote(run.runDirectory, { ...run, ...runner, ...(fields as Partial<ServerNote>) });
    const { leftovers, warnings } = await cleanUp(run.runDirectory);
    assert.deepEqual([leftovers.length, warnings.length], [0, 1], JSON.stringify(fields));
    assert.match(
      warnings[0] as string,
      /no (data directory of PostgreSQL|directory for a socket|shared memory of PostgreSQL): /,
    );
    assert.ok(fs.existsSync(path.join(run.dataDirectory, 'PG_VERSION')));
    assert.equal(fs.readFileSync(path.join(outside, 'thesis.txt'), 'utf8'), 'precious');
  }
});

test('a note that others could have written is not followed', async (t) => {
  const runner = await deadRunner(t);
  const open = makeRun(t, 0o777);
  writeServerNote(open.runDirectory, { ...open, ...runner });
  const { leftovers, warnings } = await cleanUp(open.runDirectory);
  assert.deepEqual(leftovers, []);
  assert.match(warnings.join(), /others than this user can write/);
  assert.ok(fs.existsSync(open.dataDirectory));

  if (!IS_ROOT) return;
  const foreign = makeRun(t);
  writeServerNote(foreign.runDirectory, { ...foreign, ...runner });
  fs.chownSync(foreign.runDirectory, SERVER_UID, -1);
  assert.deepEqual(await cleanUp(foreign.runDirectory), NOTHING);
  assert.ok(fs.existsSync(foreign.dataDirectory));
});

test('one folder that cannot be cleaned up does not keep the others from it', async (t) => {
  const runner = await deadRunner(t);
  const [broken, none, fine] = [makeRun(t), makeRun(t), makeRun(t)];
  fs.writeFileSync(path.join(broken.runDirectory, 'server.json'), '{');
  writeServerNote(fine.runDirectory, { ...fine, ...runner });
  writeServerNote(none.runDirectory, { ...none, ...runner });
  removeServerNote(none.runDirectory);
  const folders = [broken, none, fine].map(({ runDirectory }) => runDirectory);
  const leftovers = await cleanUpLeftovers([...folders, '/nonexistent/run']);
  assert.deepEqual(leftovers, [{ runDirectory: fine.runDirectory, stoppedPid: null }]);
});
