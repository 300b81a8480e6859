import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { OsSample } from '@ibench/core';
import { deferred } from '../src/load/deferred.ts';
import { findHost } from '../src/reader/find-host.ts';
import { findPostmaster } from '../src/reader/find-postmaster.ts';
import { localReader } from '../src/reader/local-reader.ts';
import { HostUnreachable, RemoteShell } from '../src/remote/remote-shell.ts';
import { readLocalFiles } from '../src/sampler/files.ts';
import { fakeSsh, makeDirectory, startTestServer } from './external-support.ts';

test('a shell on another host answers in order, whatever files hold', async (t) => {
  fakeSsh(t);
  const directory = makeDirectory(t);
  const texts = ["it's one\n", 'no line end', '', '\n\n'];
  const paths = texts.map((text, i) => {
    const file = path.join(directory, `file '${i}'`);
    fs.writeFileSync(file, text);
    return file;
  });
  const shell = new RemoteShell('db1');
  t.after(() => shell.close());
  assert.deepEqual(await shell.readFiles(paths), texts);
  const [one, two] = await Promise.all([
    shell.run(['sleep 0.1; echo first', 'exit 3', 'cat']),
    shell.run(['echo second >&2; echo $((6 * 7))']),
  ]);
  assert.deepEqual(one, [
    { text: 'first\n', status: 0 },
    { text: '', status: 3 },
    { text: '', status: 0 },
  ]);
  assert.deepEqual(two, [{ text: '42\n', status: 0 }]);
  assert.deepEqual(await shell.run([]), []);
  await assert.rejects(shell.readFiles(['/no/such']), /\/no\/such on db1 cannot be read/);
});

test('a connection that is lost or silent is an error, and the next request makes a new one', async (t) => {
  fakeSsh(t);
  const shell = new RemoteShell('db1');
  t.after(() => shell.close());
  await assert.rejects(shell.run(['kill -9 $$']), (error: Error) => {
    assert.ok(error instanceof HostUnreachable);
    assert.match(error.message, /^db1 cannot be read over ssh: (Killed|ssh ended with .*)$/);
    return true;
  });
  await assert.rejects(shell.run(['sleep 600'], 300), /no answer within 0\.3 s/);
  assert.deepEqual(await shell.run(['echo back']), [{ text: 'back\n', status: 0 }]);
});

test('a host that lets nobody in is an error with the words of ssh', async (t) => {
  fakeSsh(t, "echo 'Host key verification failed.' >&2; exit 255");
  const shell = new RemoteShell('db1');
  await assert.rejects(
    shell.run(['echo x']),
    /^HostUnreachable: db1 cannot be read over ssh: Host key verification failed\.$/,
  );
  await shell.close();
});

test('what is read over ssh is what is read directly', async (t) => {
  fakeSsh(t);
  const { server, access, admin } = await startTestServer(t);
  const lines: string[] = [];
  const say = (text: string): unknown => lines.push(text);
  const remote = (await findHost(admin, { access, ssh: 'db1', say })).reader;
  t.after(() => remote.close());
  const found = await findHost(admin, { access, ssh: null, say });
  assert.deepEqual([found.postmaster, found.reader.place, lines], [server.pid, 'local', []]);
  const local = localReader({ postmasterPid: server.pid, dataDirectory: server.dataDirectory });
  assert.deepEqual([remote.place, remote.isLocal], ['ssh db1', false]);

  assert.deepEqual((await remote.findDevices()).devices, (await local.findDevices()).devices);
  const { node_version: _, ...facts } = Object.fromEntries(await local.facts());
  assert.deepEqual(Object.fromEntries(await remote.facts()), facts);

  const { devices } = await local.findDevices();
  const [first, over, last] = [
    await local.readBorder(devices),
    await remote.readBorder(devices),
    await local.readBorder(devices),
  ];
  const figures = ({ os, server: cpu }: typeof first): number[] => [
    os?.atS ?? Number.NaN,
    os?.contextSwitches ?? Number.NaN,
    os?.cpu.user ?? Number.NaN,
    os?.cpu.system ?? Number.NaN,
    ...(os?.disks.flatMap((disk) => [disk.writes, disk.writeSectors, disk.reads]) ?? []),
    cpu?.total.user ?? Number.NaN,
    cpu?.total.system ?? Number.NaN,
    cpu?.byPid.get(server.pid)?.user ?? Number.NaN,
  ];
  const [low, middle, high] = [figures(first), figures(over), figures(last)];
  assert.ok(middle.length >= 7);
  for (const [i, value] of middle.entries()) {
    assert.ok((low[i] as number) <= value && value <= (high[i] as number), `${i}: ${value}`);
  }
  assert.deepEqual(
    over.os?.disks.map(({ device }) => device),
    devices,
  );
  assert.ok((over.server?.byPid.size ?? 0) >= 5);

  const bytes = await local.dataDirectoryBytes();
  const difference = Math.abs(((await remote.dataDirectoryBytes()) ?? 0) - (bytes ?? 0));
  assert.ok(difference < 0.2 * (bytes ?? 0), `${difference} of ${bytes}`);
  const resident = [await local.residentBytes(), await remote.residentBytes()];
  assert.ok(Math.abs((resident[0] ?? 0) - (resident[1] ?? 0)) < 0.2 * (resident[0] ?? 0));
});

for (const tools of ['vmstat and iostat', 'only /proc']) {
  test(`samples come over ssh from ${tools}`, async (t) => {
    // Programs that a login finds nothing of, as on a host without sysstat.
    fakeSsh(t, tools === 'only /proc' ? `case "$last" in *stat\\'*) exit 127;; esac` : '');
    const { access, admin } = await startTestServer(t);
    const { reader } = await findHost(admin, { access, ssh: 'db1', say: () => {} });
    t.after(() => reader.close());
    const { devices } = await reader.findDevices();
    const samples: OsSample[] = [];
    const warnings: string[] = [];
    const startNs = process.hrtime.bigint();
    const directory = makeDirectory(t);
    const enough = deferred<void>();
    const sampler = await reader.startSampler({
      directory,
      intervalS: 1,
      devices,
      stepStartNs: () => startNs,
      onSample: (sample) => {
        samples.push(sample);
        if (samples.length >= 2) enough.resolve();
      },
      onWarning: (text) => warnings.push(text),
    });
    await enough.promise;
    await sampler.stop();
    for (const { vm, io } of samples) {
      assert.ok((vm?.cs ?? 0) > 0);
      assert.deepEqual(
        io.map(({ device }) => device),
        devices,
      );
    }
    if (tools === 'only /proc') {
      assert.equal(warnings.length, 2, warnings.join('\n'));
      for (const text of warnings) assert.match(text, /cannot be used .* samples come from \/proc/);
    } else {
      assert.deepEqual(warnings, []);
      for (const name of ['vmstat.txt', 'iostat.txt']) {
        assert.ok(fs.statSync(path.join(directory, name)).size > 0, name);
      }
    }
  });
}

test('a process is the backend only if it is Postgres and as old as the server says', async (t) => {
  const { server, admin } = await startTestServer(t);
  const [row] = await admin.unsafe(
    `select pid, extract(epoch from backend_start)::float8 as at from pg_stat_activity
     where pid = pg_backend_pid()`,
  );
  const backend = { pid: row?.pid as number, startedAt: row?.at as number };
  const find = (changes: Partial<typeof backend>) =>
    findPostmaster(readLocalFiles, { ...backend, ...changes });
  assert.equal((await find({}))?.pid, server.pid);
  assert.equal(await find({ startedAt: backend.startedAt + 60 }), null);
  assert.equal(await find({ pid: 2 ** 22 + 1 }), null);
  const own = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19];
  const boot = /^btime (\d+)$/m.exec(fs.readFileSync('/proc/stat', 'utf8'))?.[1];
  const startedAt = Number(boot) + Number(own) / 100;
  assert.equal(await find({ pid: process.pid, startedAt }), null);
});

test('a host named for ssh on which the server does not run is an error', async (t) => {
  const { access, admin } = await startTestServer(t);
  // The backends of the server are no processes there.
  fakeSsh(t, 'if [ "$last" = sh ]; then last="sed -u s,/proc/,/nowhere/,g | sh"; fi');
  await assert.rejects(
    findHost(admin, { access, ssh: 'db2', say: () => {} }),
    /^RunError: --server-ssh db2: the server does not run on that host, or its processes/,
  );
});
