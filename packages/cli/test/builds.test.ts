import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findBuild } from '@ibench/host';
import { splitWords } from '../src/commands/builds/split-words.ts';
import { joinFlagValues } from '../src/flag-values.ts';
import { IBENCH, ibench } from './builds-support.ts';
import { temporaryDirectory, until } from './support.ts';

test('builds are added, listed, shown and removed', async (t) => {
  const folder = path.join(temporaryDirectory(t), 'builds');
  const { root, name, fingerprint } = await findBuild(undefined);
  const added = ibench('builds', 'add', root, '--name', 'mine', '--builds-dir', folder);
  assert.deepEqual([added.status, added.stdout], [0, 'mine\n'], added.stderr);
  const listed = ibench('builds', 'list', '--builds-dir', folder, '--format', 'csv');
  assert.match(listed.stdout, new RegExp(`^builds,${name},\\S+,-Os,off,,\\w+,,embedded,`, 'm'));
  assert.match(listed.stdout, /^builds,mine,\S+,-Os,off,,\w+,unchanged,directory /m);
  const shown = ibench('builds', 'show', 'mine', '--builds-dir', folder, '--format', 'json');
  assert.equal(JSON.parse(shown.stdout).fingerprint.digest, fingerprint.digest);
  const text = ibench('builds', 'show', 'mine', '--builds-dir', folder).stdout;
  assert.match(text, /^version\(\) +PostgreSQL \d/m);
  assert.match(text, new RegExp(`^fingerprint +${fingerprint.digest}$`, 'm'));
  const removed = ibench('builds', 'remove', 'mine', '--builds-dir', folder);
  assert.deepEqual([removed.status, fs.readdirSync(folder)], [0, []]);
});

test('a build whose files were altered is marked in the list, and told from the others', async (t) => {
  const [folder, copy] = [temporaryDirectory(t), path.join(temporaryDirectory(t), 'copy')];
  const { root } = await findBuild(undefined);
  fs.cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  for (const [directory, name] of [
    [root, 'sound'],
    [copy, 'broken'],
  ] as const) {
    ibench('builds', 'add', directory, '--name', name, '--builds-dir', folder);
  }
  const list = () => ibench('builds', 'list', '--builds-dir', folder).stdout;
  assert.doesNotMatch(list(), /altered/);
  fs.appendFileSync(path.join(copy, 'bin', 'postgres'), '\0');
  const listed = list();
  assert.match(listed, /^broken .* ▼ altered +directory /m);
  assert.match(listed, /^sound .* unchanged +directory /m);
  assert.match(listed, /^.*altered: other files than were registered.*builds show NAME/m);
  const shown = ibench('builds', 'show', 'broken', '--builds-dir', folder);
  assert.equal(shown.status, 2);
  assert.match(shown.stderr, /bin\/postgres has changed/);
});

test('a copy of a registered build is said to be one, with its names', async (t) => {
  const [folder, copy] = [temporaryDirectory(t), path.join(temporaryDirectory(t), 'copy')];
  const { root } = await findBuild(undefined);
  fs.cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  const add = (directory: string, name: string) =>
    ibench('builds', 'add', directory, '--name', name, '--builds-dir', folder);
  assert.doesNotMatch(add(root, 'first').stderr, /already|same files/);
  assert.doesNotMatch(add(root, 'first').stderr, /already|same files/);
  assert.match(add(copy, 'first').stderr, /^first is there already, with the same files in /m);
  assert.match(add(copy, 'second').stderr, /^the same files are registered as first too$/m);
});

test('what is asked wrongly is refused before anything starts', async (t) => {
  const folder = path.join(temporaryDirectory(t), 'builds');
  const cases: [args: string[], message: RegExp][] = [
    [['builds'], /Expected a command: list, install, add, compile/],
    [['builds', 'remove', 'none'], /no registered build none \(registered: none\)/],
    [['builds', 'add', folder, folder], /Unknown argument/],
    [['builds', 'show', 'pg99'], /unknown build "pg99"/],
    [['builds', 'add', folder], /there is no .*postgres/],
    [['builds', 'compile'], /source/],
    [['builds', 'compile', '--source', folder], /there is no .*configure; expected the source/],
    [['builds', 'compile', '--source', folder, '--name', 'a b'], /build name "a b"/],
    [['run', '--build', 'mine'], /unknown build "mine"/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = ibench(...args, '--builds-dir', folder);
    assert.match(stderr, message);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
  }
});

test('a killed install leaves no build, and the next command cleans up', async (t) => {
  const folder = path.join(temporaryDirectory(t), 'builds');
  const args = [IBENCH, 'builds', 'install', '12.22', '--builds-dir', folder];
  const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await until('npm fetches', () =>
    fs
      .readdirSync(folder)
      .some((name) => fs.existsSync(path.join(folder, name, 'project', 'package.json'))),
  );
  // With npm, which is in its group: what npm still wrote would be in the way of the check.
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;
  assert.match(ibench('run', '--build', 'pg12.22', '--builds-dir', folder).stderr, /unknown build/);
  const { root } = await findBuild(undefined);
  assert.equal(ibench('builds', 'add', root, '--name', 'next', '--builds-dir', folder).status, 0);
  assert.deepEqual(fs.readdirSync(folder), ['next']);
});

test('options of other programs are values, not options of ours', () => {
  assert.deepEqual(
    joinFlagValues(['--cflags', '-O2 -g', '--configure', '--with-lz4', '--name', 'x']),
    ['--cflags=-O2 -g', '--configure=--with-lz4', '--name', 'x'],
  );
  assert.deepEqual(joinFlagValues(['--cflags', '--name', 'x']), ['--cflags', '--name', 'x']);
  assert.deepEqual(joinFlagValues(['--configure']), ['--configure']);
  assert.deepEqual(splitWords(`--a  'b c'd "e f"`), ['--a', 'b cd', 'e f']);
  assert.deepEqual(splitWords(`CC='ccache gcc' --with-lz4`), ['CC=ccache gcc', '--with-lz4']);
  assert.throws(() => splitWords(`--a 'b`), /a quote is not closed/);
});
