import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { RunError } from '@ibench/core';
import { findBuild } from '../src/builds/find-build.ts';
import type { OwnServer } from '../src/engine.ts';
import { openAdmin } from '../src/postgres/admin.ts';
import { startPostgres } from '../src/postgres/postgres-engine.ts';
import { findServerProcesses } from '../src/postgres/server-processes.ts';
import { endProcess, isRunning } from '../src/process.ts';
import {
  connectionValue,
  makeDirectory,
  SERVER_UID,
  SMALL,
  serverOptions,
  startTestServer,
  waitFor,
} from './server-support.ts';

/** Settings of all types and units, in many spellings. */
const MANY = `
shared_buffers = 24MB            # an integer in blocks of 8 kB
temp_buffers = 1000
work_mem = '1.5MB'
max_wal_size = 1GB
min_wal_size = '80 MB'
wal_buffers = -1                 # left to the server
maintenance_work_mem 0x8000
autovacuum_work_mem = -1
max_connections = 20
checkpoint_timeout = '0.5h'
deadlock_timeout = '1500ms'
wal_writer_delay = 200
idle_in_transaction_session_timeout = 5min
log_rotation_age = 1d
log_file_mode = 0640
checkpoint_completion_target = 0.9
random_page_cost = '11e-1'
seq_page_cost = '.5'
vacuum_cost_delay = '1500us'
fsync = of
synchronous_commit = true
wal_level = Replica
wal_compression = on
autovacuum yes
jit = 0
default_transaction_isolation = 'repeatable read'
log_line_prefix = '%m [%p] it''s # not a comment '
log_timezone = 'utc'
shared_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = '3s'
Work_Mem = 2MB
`;

const KILL = [{ signal: 'SIGKILL', waitMs: 10_000 }] as const;

/** Processes, files and shared memory of a running server. */
function tracesOf(server: OwnServer) {
  const pidFile = fs.readFileSync(path.join(server.dataDirectory, 'postmaster.pid'), 'utf8');
  const maps = fs.readFileSync(`/proc/${server.pid}/maps`, 'utf8');
  return {
    processes: findServerProcesses(server.dataDirectory),
    segment: pidFile.split('\n')[6]?.trim().split(/\s+/)[1] as string,
    sharedFiles: [...new Set(maps.match(/\/dev\/shm\/\S+/g) ?? [])],
    socketDirectory: connectionValue(server, 'host'),
  };
}

function hasSegment(id: string): boolean {
  const text = fs.readFileSync('/proc/sysvipc/shm', 'utf8');
  return text.split('\n').some((line) => line.trim().split(/\s+/)[1] === id);
}

function assertGone(traces: ReturnType<typeof tracesOf>): void {
  for (const { pid, token } of traces.processes) assert.equal(isRunning(pid, token), false);
  for (const file of traces.sharedFiles) assert.equal(fs.existsSync(file), false, file);
  assert.equal(hasSegment(traces.segment), false);
  assert.equal(fs.existsSync(traces.socketDirectory), false);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Builds to be tried: the embedded one, and those that this machine has. */
async function builds() {
  const system = '/usr/lib/postgresql';
  const names = fs.existsSync(system) ? fs.readdirSync(system) : [];
  const roots = names.map((name) => path.join(system, name));
  const found = roots.filter((root) =>
    ['postgres', 'initdb'].every((name) => fs.existsSync(path.join(root, 'bin', name))),
  );
  return Promise.all([undefined, ...found].map((name) => findBuild(name)));
}

test('a server of each build on this machine starts, is set up as it should be, and goes without trace', async (t) => {
  for (const build of await builds()) {
    const runDirectory = makeDirectory(t);
    const server = await startTestServer(t, { build, runDirectory });
    const value = (name: string) => server.settings.find((s) => s.name === name)?.setting;
    const major = Number.parseInt(build.version, 10);
    assert.equal(server.version, build.version);
    assert.equal(value('server_version')?.split(' ')[0], build.version);
    assert.equal(value('data_checksums'), major >= 18 ? 'on' : 'off', build.name);
    assert.equal(value('server_encoding'), 'UTF8');
    assert.equal(value('lc_messages'), 'C');
    assert.equal(value('listen_addresses'), '');
    assert.equal(value('shared_buffers'), '2048');
    assert.equal(server.settings.find(({ name }) => name === 'fsync')?.requested, 'off');
    assert.equal(server.settings.find(({ name }) => name === 'work_mem')?.requested, null);
    assert.equal(server.maxConnections, 17);
    assert.equal(server.buildFacts.get('sha256'), build.sha256);
    assert.match(server.buildFacts.get('version_text') as string, /^PostgreSQL \d+/);
    assert.ok(server.buildFacts.get('pg_config_configure'));
    assert.equal(await canConnect(Number(connectionValue(server, 'port'))), false);

    const traces = tracesOf(server);
    const { mode, uid } = fs.statSync(traces.socketDirectory);
    assert.deepEqual([mode & 0o7777, uid], [0o700, SERVER_UID]);
    assert.ok(traces.processes.length >= 5);
    assert.ok(traces.processes.some(({ pid, isMain }) => isMain && pid === server.pid));
    assert.ok(traces.sharedFiles.length > 0 && hasSegment(traces.segment));

    await server.stop();
    assertGone(traces);
    assert.match(await server.exited, /exit code 0/);
    assert.deepEqual(fs.readdirSync(runDirectory), ['server.log']);
    await server.stop();
  }
});

test('settings of every type, unit and spelling are taken, and read back with what was asked', async (t) => {
  const server = await startTestServer(t, { settings: MANY });
  const shown = new Map(server.settings.map((s) => [s.name, s]));
  const pairs = {
    work_mem: ['2MB', '2048', 'kB'],
    wal_compression: ['on', 'pglz', null],
    log_file_mode: ['0640', '0640', null],
    log_line_prefix: ["%m [%p] it's # not a comment ", "%m [%p] it's # not a comment ", null],
    checkpoint_timeout: ['0.5h', '1800', 's'],
    vacuum_cost_delay: ['1500us', '1.5', 'ms'],
    'auto_explain.log_min_duration': ['3s', '3000', 'ms'],
    wal_buffers: ['-1', '96', '8kB'],
  };
  for (const [name, [requested, setting, unit]] of Object.entries(pairs)) {
    const row = shown.get(name);
    assert.deepEqual([row?.requested, row?.setting, row?.unit], [requested, setting, unit], name);
  }
  assert.equal(server.settings.filter(({ requested }) => requested !== null).length, 30);
});

test('a setting that does not take is an error with both values, and nothing stays behind', async (t) => {
  const cases: [string, RegExp][] = [
    // A connection's own name comes before the configuration's.
    [
      "application_name = 'mine'",
      /config small:\n {2}application_name \(small\.conf:4\): requested mine, the server has ibench\/test\/runner$/,
    ],
    ['foo.bar = 1', /foo\.bar \(small\.conf:4\): requested 1, but no extension that is loaded/],
    [
      'shared_bufers = 1GB',
      /^pg\S+ did not start: it ended with exit code 1\n.*server\.log ends with:\n[\s\S]*unrecognized configuration parameter "shared_bufers"/,
    ],
    [
      'work_mem = 1kB',
      /did not start[\s\S]*1 kB is outside the valid range for parameter "work_mem"/,
    ],
    [
      'wal_level = maximal',
      /did not start[\s\S]*invalid value for parameter "wal_level": "maximal"/,
    ],
    [
      "shared_preload_libraries = 'nonsense'",
      /did not start[\s\S]*could not access file "nonsense"/,
    ],
  ];
  for (const [line, expected] of cases) {
    const runDirectory = makeDirectory(t);
    const options = await serverOptions(t, { runDirectory, settings: `${SMALL}${line}\n` });
    await assert.rejects(
      startPostgres(options),
      (error: Error) => {
        assert.ok(error instanceof RunError);
        assert.match(error.message, expected);
        return true;
      },
      line,
    );
    assert.deepEqual(fs.readdirSync(runDirectory), ['server.log'], line);
    assert.deepEqual(findServerProcesses(options.dataDirectory), []);
  }
});

test('a loopback port is opened only when asked for, and two servers run side by side', async (t) => {
  const port = await freePort();
  const listening = await startTestServer(t, { listenPort: port });
  const other = await startTestServer(t);
  assert.equal(await canConnect(port), true);
  assert.equal(connectionValue(listening, 'port'), String(port));
  const names = ['dataDirectory', 'pid', 'logPath'] as const;
  for (const name of names) assert.notEqual(listening[name], other[name]);
  assert.notEqual(connectionValue(listening, 'host'), connectionValue(other, 'host'));
  const table = { secondary_indexes: 0, partitions: 0, expectedRows: 1 };
  await listening.createTables(['pi1'], table);
  assert.deepEqual(await listening.countRows(['pi1']), [0]);
  await assert.rejects(other.countRows(['pi1']), /counting pi1 failed \(42P01\)/);
  await listening.stop();
  assert.equal(await canConnect(port), false);
  assert.ok((await other.backends()).length > 0);

  const taken = net.createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  t.after(() => taken.close());
  await assert.rejects(
    startTestServer(t, { listenPort: port }),
    /did not start[\s\S]*could not bind .*Address already in use/,
  );
});

test('the data stays where it is to be kept', async (t) => {
  const runDirectory = makeDirectory(t);
  const dataDirectory = path.join(runDirectory, "it's my", 'data "dir"');
  const server = await startTestServer(t, { runDirectory, dataDirectory, keepData: true });
  assert.equal(server.dataDirectory, dataDirectory);
  await server.stop();
  assert.deepEqual(fs.readdirSync(runDirectory).sort(), ["it's my", 'server.log']);
  assert.equal(fs.existsSync(path.join(dataDirectory, 'PG_VERSION')), true);
  assert.equal(fs.existsSync(path.join(dataDirectory, 'postmaster.pid')), false);
});

test('of a server whose main process was killed, stop ends the busy backends too', async (t) => {
  const server = await startTestServer(t);
  const address = {
    socketDirectory: connectionValue(server, 'host'),
    port: Number(connectionValue(server, 'port')),
  };
  const busy = openAdmin(address, 'busy', { max: 1 });
  const work = busy.unsafe('select count(*) from generate_series(1, 1e12)').then(
    () => 'done',
    () => 'lost',
  );
  await waitFor('a busy backend', () =>
    findServerProcesses(server.dataDirectory).some(({ pid }) =>
      fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('SELECT'),
    ),
  );
  const { processes, segment, sharedFiles } = tracesOf(server);
  t.after(() => Promise.all(processes.map(({ pid, token }) => endProcess(pid, token, KILL))));
  process.kill(server.pid, 'SIGKILL');
  assert.equal(await server.exited, 'it was ended by SIGKILL');
  // Root in a container may be kept from seeing where another user's processes work.
  const canSee = findServerProcesses(server.dataDirectory).length > 0;
  await server.stop();
  const left = processes.filter(({ pid, token }) => isRunning(pid, token));
  assert.ok(left.length === 0 || !canSee);
  for (const { pid, token } of left) await endProcess(pid, token, KILL);
  // Nobody but a postmaster that ends in order, or starts on the same data, removes these.
  spawnSync('ipcrm', ['-m', segment]);
  for (const file of sharedFiles) fs.rmSync(file, { force: true });
  assert.equal(fs.existsSync(server.dataDirectory), false);
  assert.equal(await work, 'lost');
  await busy.end({ timeout: 1 });
});
