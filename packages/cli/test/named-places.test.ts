import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBuild, serverUser } from '@ibench/host';
import { SHARED_HOST, temporaryDirectory } from './support.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const RUN = ['run', ...SHARED_HOST, '--preset', 'tiny', '--canary', 'off'];
/** Far longer than any of them takes, and shorter than for ever. */
const TIMEOUT_MS = 60_000;

interface Case {
  readonly args: readonly string[];
  readonly builds?: string;
  /** What is said, in one line. */
  readonly said: RegExp;
  /** The user that it is tried as; nothing: this one. */
  readonly uid?: number;
}

/** Tries each, which must end with exit code 2, in one line that says what, where and why. */
function check(cases: readonly Case[]): void {
  for (const { args, builds, said, uid } of cases) {
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      // Other users may not use that of the tests.
      env: { ...process.env, TMPDIR: '/tmp', ...(builds && { IBENCH_BUILDS: builds }) },
      ...(uid !== undefined && { uid, gid: uid }),
    });
    const where = `${args.join(' ')}, builds in ${builds}\n${stderr}`;
    assert.equal(status, 2, where);
    assert.match(stderr, /^(another runner [^\n]+\n)*ibench: [^\n]+\n$/, where);
    assert.match(stderr, said, where);
  }
}

/** A file and a folder, each in the place of the other. */
function places(t: TestContext) {
  const folder = temporaryDirectory(t);
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, 'text\n');
  return { folder, file };
}

test('a folder of builds that is none, or cannot be made, is refused', async (t) => {
  const { file } = places(t);
  const { root } = await findBuild(undefined);
  const add = ['builds', 'add', root, '--name', 'same'];
  check([
    {
      args: ['builds', 'list'],
      builds: file,
      said: /IBENCH_BUILDS\) \S+: .*file is not a folder$/m,
    },
    {
      args: ['builds', 'show', 'pg1'],
      builds: path.join(file, 'x'),
      said: /file is not a folder$/m,
    },
    { args: add, builds: '/proc/x', said: /\/proc\/x: .*: no folder can be made in \/proc$/m },
    {
      args: [...add, '--builds-dir', `${file}/x/y`],
      said: /--builds-dir .*file is not a folder$/m,
    },
  ]);
});

test('folders of runs and stores that are none, or cannot be made, are refused', (t) => {
  const { folder, file } = places(t);
  check([
    { args: [...RUN, '--runs-dir', '/proc/x/y'], said: /\/proc\/x\/y: .* be made in \/proc$/m },
    { args: [...RUN, '--runs-dir', `${file}/x`], said: /file is not a folder$/m },
    { args: [...RUN, '--runs-dir', file], said: /--runs-dir \S+: expected a folder/ },
    { args: [...RUN, '--data-dir', `${file}/x`], said: /--data-dir .*\/x: cannot be written/ },
    { args: [...RUN, '--db', folder], said: /store \S+: expected a file, this is none; .*--db/ },
    { args: ['table', '--db', folder], said: /store \S+: expected a file, this is none; .*--db/ },
    { args: ['table', '--db', file], said: /is not a SQLite file/ },
    { args: ['table', '--runs-dir', file], said: /no such file/ },
  ]);
});

test('files that are folders are refused', (t) => {
  const { folder, file } = places(t);
  check([
    { args: [...RUN, '--config', `${folder}/`], said: /config .*folder/ },
    { args: ['run', '--workload', `${folder}/`], said: /workload .*folder/ },
    { args: [...RUN, '--libpq', folder], said: /--libpq/ },
    { args: [...RUN, '--build', file], said: /build \S+: there is no/ },
    { args: ['plan', 'status', folder], said: /plan .*folder/ },
  ]);
});

const skip = process.getuid?.() === 0 ? false : 'only root can be another user';

test('what this user may not use is told, with where else to go', { skip }, (t) => {
  const { folder, file } = places(t);
  const uid = serverUser(undefined)?.uid as number;
  const store = path.join(folder, 'ibench.sqlite');
  fs.copyFileSync(file, store);
  fs.chmodSync(store, 0o600);
  const closed = path.join(folder, 'closed');
  fs.mkdirSync(closed, { mode: 0o700 });
  check([
    { args: ['table', '--db', store], uid, said: /this user may not read it; .*--db/ },
    { args: [...RUN, '--db', store, '--runs-dir', folder], uid, said: /may not read it; .*--db/ },
    {
      args: [...RUN, '--runs-dir', folder, '--db', `${folder}/new`],
      uid,
      said: /may not write in/,
    },
    { args: [...RUN, '--runs-dir', `${closed}/x`], uid, said: /this user may not use \S+closed/ },
    { args: ['builds', 'list'], builds: closed, uid, said: /this user may not use \S+closed/ },
  ]);
});

test('who only reads makes nothing', (t) => {
  const { folder } = places(t);
  const plan = path.join(folder, 'plan.yaml');
  fs.writeFileSync(
    plan,
    'name: nothing\nbuilds: [embedded]\nconfigs: [base]\nworkloads:\n  - workload: tiny\nrepeats: 1\n',
  );
  const readers: readonly (readonly string[])[] = [
    ['plan', 'resume', plan, ...SHARED_HOST],
    ['plan', 'status', plan],
    ['table'],
    ['sweep-summary'],
    ['compare', 'a', 'b'],
    ['export', '--view', 'metrics'],
    ['flamegraph', '--run', '1'],
    ['report', '--out', path.join(folder, 'report.html')],
  ];
  for (const reader of readers) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [CLI, ...reader, '--runs-dir', path.join(folder, 'new')],
      { encoding: 'utf8', timeout: TIMEOUT_MS },
    );
    assert.equal(status, 2, `${reader.join(' ')}\n${stderr}`);
    assert.match(stderr, /never begun|no such file/);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['file', 'plan.yaml'], reader.join(' '));
  }
});
