import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './support.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** A run that must be refused before anything is made. */
function refused(t: TestContext, args: readonly string[]): string {
  const runs = path.join(temporaryDirectory(t), 'runs');
  const run = ['run', '--preset', 'tiny', '--runs-dir', runs, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...run], {
    encoding: 'utf8',
  });
  assert.equal(status, 2, stderr);
  assert.equal(stdout, '');
  assert.equal(fs.existsSync(runs), false, 'something was made');
  return stderr;
}

test('a config that runs commands is refused with each of them, unless --allow-exec is given', (t) => {
  const config = path.join(temporaryDirectory(t), 'shared.conf');
  const text = "archive_mode = on\narchive_command = 'curl x | sh'\njit_provider = '/tmp/x.so'\n";
  fs.writeFileSync(config, text);
  const said = refused(t, ['--config', config]);
  assert.match(
    said,
    /archive_command \(shared.conf:2\): curl x \| sh\n +jit_provider \(shared.conf:3\): \/tmp\/x/,
  );
  assert.match(said, /--allow-exec/);
  // With it the next check has its turn.
  const allowed = refused(t, ['--config', config, '--allow-exec', '--listen', '0']);
  assert.match(allowed, /--listen 0: expected a port/);
});

test('more connections than the config allows are refused before a server is started', (t) => {
  const said = refused(t, ['--clients', '500']);
  assert.match(
    said,
    /workload \S+ needs 1508 connections, config base has max_connections = 200: expected at least 1508/,
  );
  const config = path.join(temporaryDirectory(t), 'few.conf');
  fs.writeFileSync(config, 'max_connections = 20\nsuperuser_reserved_connections = 15\n');
  assert.match(refused(t, ['--config', config]), /needs 23 connections, config few has .* = 20/);
});

test('a TMPDIR in which nothing can be made is named in one line by every command that needs it', (t) => {
  const file = path.join(temporaryDirectory(t), 'file');
  fs.writeFileSync(file, '');
  const TMPDIR = path.join(file, 'x');
  for (const command of ['builds list', 'configs diff a1 a2', 'run --preset tiny', 'selftest']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...command.split(' ')], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR },
      cwd: path.dirname(file),
    });
    const line = `ibench: no temporary directory can be made in ${TMPDIR} (ENOTDIR`;
    const [last = '', ...before] = stderr.trimEnd().split('\n').reverse();
    assert.ok(last.startsWith(line), stderr);
    assert.match(last, /: set TMPDIR to a directory that you may write to/);
    if (command !== 'selftest') assert.deepEqual(before, []);
    assert.deepEqual([status, stdout], [2, ''], command);
  }
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['file']);
});

test('a port that is in use is found before a data directory is made', async (t) => {
  const server = net.createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const said = refused(t, ['--listen', String(port)]);
  assert.match(said, new RegExp(`--listen ${port}: the port cannot be used \\(.*EADDRINUSE`));
});

test('a number that is none, or left out, is named with what was given', (t) => {
  for (const option of ['--queriers', '--clients', '--listen', '--activity-interval']) {
    const named = new RegExp(`^ibench: ${option} abc: expected a number$`, 'm');
    assert.match(refused(t, [option, 'abc']), named);
    assert.match(refused(t, [`${option}=abc`]), named);
    assert.match(refused(t, [`${option}=`]), new RegExp(`^ibench: ${option} needs a value$`, 'm'));
  }
});

test('limits that make no sense are refused with what was expected', (t) => {
  for (const [option, value, expected] of [
    ['--disk-reserve', '1 lorry', /--disk-reserve 1 lorry: expected a size with its unit/],
    ['--disk-reserve', '5', /--disk-reserve 5: expected a size with its unit/],
    ['--max-foreign-cpu', '200', /--max-foreign-cpu 200: expected a share/],
    ['--max-steal', '-1', /--max-steal -1: expected a share/],
  ] as const) {
    assert.match(refused(t, [`${option}=${value}`]), expected);
  }
});

test('a server that cannot be reached is refused, like what the user can say differently', (t) => {
  for (const place of ['no-such-host.invalid', '127.0.0.1:1', '%2Fno%2Fsuch']) {
    const said = refused(t, ['--server', `postgres://me@${place}/bench`]);
    assert.match(
      said,
      /^ibench: connecting to .* failed \((ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOENT)\)/,
    );
  }
});
