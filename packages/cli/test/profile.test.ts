import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { foldedText, parseFolded } from '@ibench/core';
import { checkPerf } from '@ibench/host';
import { closeStore, loadProfiles, openStore } from '@ibench/store';
import { startRun } from './support.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));

/** Why perf cannot be used here; null: it can. */
const obstacle = await checkPerf().then(
  () => null,
  (error: Error) => error.message,
);
const skip = obstacle === null ? false : `not tested here: ${obstacle}`;

function ibench(...args: readonly string[]): ReturnType<typeof spawnSync> & { stdout: string } {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' }) as never;
}

/** Files below a folder with this name. */
function filesNamed(directory: string, name: string): string[] {
  const files = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => path.basename(file).startsWith(name));
}

test('a run is profiled: stacks from main by role, the steps marked, perf and its data gone', {
  skip,
}, async (t) => {
  const run = startRun(t, {
    set: { rows: 5000, l_i1_rows: 1000, l_i2_rows: 100, read_write_seconds: 2 },
    args: [
      '--profile',
      'perf',
      '--profile-seconds',
      '2',
      '--profile-frequency',
      '499',
      '--profile-step',
      'l.i1,qr100',
      '--profile-role',
      'insert,query',
    ],
  });
  assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
  const store = openStore(path.join(run.runsDirectory, 'ibench.sqlite'), { readonly: true });
  t.after(() => closeStore(store));
  const { run_id: runId } = store.db.prepare('SELECT run_id FROM runs').get() as { run_id: string };
  const profiles = loadProfiles(store, runId);
  const query = profiles.find(({ step, role }) => step === 'qr100' && role === 'query');
  assert.ok(query, profiles.map(({ step, role }) => `${step} ${role}`).join());
  assert.match(foldedText(query.stacks), /(^|;)main;.*;PostgresMain(;| )/m);
  const seconds = store.db
    .prepare("SELECT seconds FROM metrics WHERE step = 'qr100'")
    .pluck()
    .get() as number;
  assert.ok(query.fromS > 0 && query.toS > query.fromS);
  assert.ok(query.toS <= seconds, `a window to ${query.toS} of a step of ${seconds} s`);
  assert.match(query.event, /^(cpu-clock|cycles|cpu_core)/);
  assert.ok(
    profiles.every(
      ({ step, role }) => ['l.i1', 'qr100'].includes(step) && ['insert', 'query'].includes(role),
    ),
  );
  const marks = store.db
    .prepare("SELECT text FROM warnings WHERE step = 'qr100' AND text LIKE 'profiled%'")
    .pluck()
    .all();
  assert.match(String(marks), /^profiled from second \S+ to \S+ \(not 2 s: the step ended\)/);
  assert.deepEqual(filesNamed(run.runsDirectory, 'perf.data'), []);

  const common = [
    'flamegraph',
    '--runs-dir',
    run.runsDirectory,
    '--run',
    run.tag,
    '--step',
    'qr100',
    '--role',
    'query',
  ];
  const exported = ibench(...common, '--format', 'folded');
  assert.deepEqual(parseFolded(exported.stdout), parseFolded(foldedText(query.stacks)));
  const page = path.join(run.runsDirectory, 'diff.html');
  assert.equal(ibench(...common, '--diff', run.tag, '--out', page).status, 0);
  assert.match(fs.readFileSync(page, 'utf8'), /No self share changed/);
  const absent = ibench(...common.slice(0, -1), 'delete');
  assert.deepEqual([absent.status, absent.stdout], [2, '']);
  assert.match(
    String(absent.stderr),
    /has no such profile; expected one of: .*qr100 query client 1/,
  );
});

test('perf and its data are gone when a profiled step is interrupted', { skip }, async (t) => {
  const run = startRun(t, {
    set: { rows: 5000, read_write_seconds: 20 },
    args: ['--profile', 'perf', '--profile-seconds', '60', '--profile-step', 'qr100'],
  });
  const data = (): string[] => filesNamed(run.runsDirectory, 'perf.data');
  const ended = run.ended.then(() => true);
  while (data().length === 0) {
    const isOver = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    assert.notEqual(isOver, true, run.stderr());
  }
  process.kill(run.pid, 'SIGINT');
  assert.equal((await run.ended).code, 130, run.stderr());
  assert.deepEqual(data(), []);
  const left = fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(run.runsDirectory));
  assert.deepEqual(left.map(commandOf), []);
});

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

test('what cannot be profiled is refused before anything starts', () => {
  const refused = (...args: readonly string[]): string => {
    const { status, stderr } = ibench('run', '--preset', 'tiny', ...args);
    assert.equal(status, 2, String(stderr));
    return String(stderr);
  };
  assert.match(
    refused('--profile', 'perf', '--profile-step', 'l.x'),
    /no "l.x" \(expected some of l.i0, l.i1/,
  );
  assert.match(
    refused('--profile', 'perf', '--profile-role', 'delete,foo'),
    /no "foo" \(expected some of insert, delete, query/,
  );
  assert.match(
    refused('--profile', 'perf', '--profile-seconds', '0'),
    /expected from 1 to 600 seconds/,
  );
  assert.match(refused('--profile-step', 'l.i1'), /expected --profile perf too/);
});
