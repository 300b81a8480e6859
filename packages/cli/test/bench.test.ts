import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory, until } from './support.ts';

const BENCH = fileURLToPath(new URL('../../../../scripts/bench/client.mjs', import.meta.url));

/** Every comparison of the table, in its order, with the program it is made against. */
const ROWS: readonly (readonly [what: string, peer: string | null])[] = [
  ['range queries/s', 'pgbench'],
  ['client CPU per range query', 'pgbench'],
  ['range queries/s, --spin', 'pgbench'],
  ['point queries/s', 'pgbench'],
  ['l.i0 rows/s, values, 100 rows per statement', 'pgbench or psql'],
  ['client CPU per inserted row, l.i0', 'itself'],
  ['copy rows/s, binary', 'psql'],
  ['copy rows/s, binary, batch by batch', 'psql'],
  ['copy rows/s, text', 'psql'],
  ['copy rows/s, text, batch by batch', 'psql'],
  ['longest garbage collection pause', null],
  ['longest pause caused by the client', null],
  ['schedule error of the background writer at 1000 rows/s, p99', null],
  ['start of 20 clients (80 processes) to the barrier', null],
  ['start of 20 clients (80 processes) to the barrier, CPU per process', null],
  ['pacer CPU per statement pair, l.i2 at full speed', null],
  ['resident memory of the largest worker, qr1000', null],
  ['its growth from the first to the last tenth, worst worker', null],
];

const METHODS = [
  'values',
  'prepared',
  'unnest',
  'copy binary',
  'copy text',
  'singleton',
  'pipeline',
];

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

interface Row {
  readonly what: string;
  readonly ibench: number | null;
  readonly peer: { readonly value: number | null; readonly missing: string | null } | null;
  readonly ratio: Spread | null;
  readonly target: { readonly of: string; readonly atLeast?: number; readonly atMost?: number };
  readonly met: boolean | null;
  readonly note: string | null;
  readonly samples: { readonly ibench: number[] | null; readonly peer: number[] | null };
}

interface Result {
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly methods: readonly {
    readonly method: string;
    readonly rowsPerSecond: Spread;
    readonly cpuUsPerRow: Spread;
  }[];
}

describe('the comparison with pgbench and psql', () => {
  test('the short mode measures every row or says why not, and leaves nothing behind', async (t) => {
    const bench = startBench(t, ['--short', '--json', 'result.json']);
    assert.equal(await bench.ended, 0, bench.stderr());
    const result = readResult(bench);
    assert.deepEqual(
      result.rows.map(({ what }) => what),
      ROWS.map(([what]) => what),
    );
    result.rows.forEach((row, i) => {
      checkRow(row, result.rounds, programsOf(ROWS[i]?.[1] ?? null).some(isOnPath));
      assert.ok(bench.stdout().includes(`| ${row.what} `), `${row.what} is not in the table`);
    });
    assert.deepEqual(
      result.methods.map(({ method }) => method),
      METHODS,
    );
    for (const { method, rowsPerSecond, cpuUsPerRow } of result.methods) {
      assert.ok(rowsPerSecond.min > 0 && cpuUsPerRow.min > 0, method);
    }
    assertNothingLeft(bench);
  });

  test('two rounds without pgbench and psql: their rows have no numbers, the others one a round', async (t) => {
    const directory = temporaryDirectory(t);
    fs.symlinkSync('/bin/bash', path.join(directory, 'bash'));
    const args = ['--short', '--rounds', '2', '--only', 'point,inserts', '--json', 'result.json'];
    const bench = startBench(t, args, { PATH: directory });
    assert.equal(await bench.ended, 0, bench.stderr());
    const { rows } = readResult(bench);
    assert.deepEqual(
      rows.map(({ peer }) => peer?.missing),
      ['pgbench is not on PATH', 'neither pgbench nor psql is on PATH', null],
    );
    for (const row of rows) checkRow(row, 2, row.peer?.missing === null);
    assert.match(bench.stdout(), /\| point queries\/s .*\| missing +\|/);
    const order = [...bench.stderr().matchAll(/^l\.i0: round \d of 2, (.*)$/gm)].map(([, n]) => n);
    assert.deepEqual(order, ['ibench', 'send', 'send', 'ibench']);
  });

  test('Ctrl-C ends it with code 130 and without a table, and leaves nothing behind', async (t) => {
    const bench = startBench(t, ['--short', '--only', 'memory']);
    await until('its workers run', () => bench.stderr().includes('memory of the workers'));
    process.kill(bench.pid, 'SIGINT');
    assert.equal(await bench.ended, 130, bench.stderr());
    assert.equal(bench.stdout(), '');
    assertNothingLeft(bench);
  });

  test('options that it does not know are refused before anything starts', async (t) => {
    for (const [args, message] of [
      [['--only', 'ranges'], /--only: unknown group "ranges" \(groups: range, point, /],
      [['--rounds', '0'], /--rounds: expected a whole number from 1 to 9999, got "0"/],
      [['--shorter'], /'--shorter'.*--help/],
    ] as const) {
      const bench = startBench(t, args);
      assert.equal(await bench.ended, 2);
      assert.match(bench.stderr(), message);
      assertNothingLeft(bench);
    }
  });
});

/** Numbers where something was measured, none where not, and a verdict that follows from them. */
function checkRow(row: Row, rounds: number, hasPeer: boolean): void {
  const { what, ibench, peer, ratio, target, met, samples } = row;
  if (ibench === null) {
    assert.ok(row.note, `${what}: neither measured nor said why not`);
    assert.deepEqual([peer, ratio, met, samples.ibench], [null, null, null, null], what);
    return;
  }
  assert.ok(Number.isFinite(ibench), what);
  if (peer === null) assert.equal(ratio, null, what);
  else {
    assert.equal(peer.missing === null, hasPeer, `${what}: ${peer.missing}`);
    assert.deepEqual([peer.value, ratio, samples.peer].map(isThere), Array(3).fill(hasPeer), what);
    assert.equal(samples.ibench?.length, rounds, what);
  }
  if (ratio !== null) checkRatio(row, ratio);
  const judged = target.of === 'ratio' ? (ratio?.median ?? null) : ibench;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target;
  assert.equal(met, judged === null ? null : judged >= atLeast && judged <= atMost, what);
}

function checkRatio({ what, samples }: Row, ratio: Spread): void {
  const ratios = samples.ibench?.map((value, i) => value / (samples.peer?.[i] as number)) ?? [];
  assert.ok(
    ratios.every((value) => value > 0 && Number.isFinite(value)),
    what,
  );
  assert.deepEqual([ratio.min, ratio.max], [Math.min(...ratios), Math.max(...ratios)], what);
  assert.ok(ratio.median >= ratio.min && ratio.median <= ratio.max, what);
}

function isThere(value: unknown): boolean {
  return value !== null;
}

/** The programs of which one is enough for a row; the empty name is always there. */
function programsOf(peer: string | null): string[] {
  return peer === 'itself' || peer === null ? [''] : peer.split(' or ');
}

function isOnPath(name: string): boolean {
  const directories = (process.env.PATH ?? '').split(path.delimiter);
  return name === '' || directories.some((one) => fs.existsSync(path.join(one, name)));
}

interface Bench {
  readonly pid: number;
  /** Its working directory. */
  readonly directory: string;
  /** Where it makes its temporary files. */
  readonly temporary: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code; null: ended by a signal. */
  readonly ended: Promise<number | null>;
}

function startBench(
  t: TestContext,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Bench {
  const [directory, temporary] = [temporaryDirectory(t), temporaryDirectory(t)];
  const child = spawn(process.execPath, [BENCH, ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, IBENCH_PYTHON_CLIENT: '', TMPDIR: temporary, ...environment },
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      printed[name] += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const { stdout, stderr } = { stdout: () => printed.stdout, stderr: () => printed.stderr };
  return { pid: child.pid ?? -1, directory, temporary, stdout, stderr, ended };
}

function readResult({ directory }: Bench): Result {
  return JSON.parse(fs.readFileSync(path.join(directory, 'result.json'), 'utf8')) as Result;
}

/** No file, and no process: each names the temporary directory (server, socket) or its parent. */
function assertNothingLeft({ pid, temporary }: Bench): void {
  assert.deepEqual(fs.readdirSync(temporary), []);
  const left = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(temporary) || line.includes(`"parentPid":${pid},`));
  assert.deepEqual(left, []);
}

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
