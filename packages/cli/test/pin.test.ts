import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { allowedCpus } from '@ibench/host';
import { backendOf, query, type Run, startRun, untilMeasured, workerOf } from './support.ts';

const CPUS = allowedCpus();
const cpu = (turn: number): number => CPUS[turn % CPUS.length] as number;

/** The CPUs that every thread of a process may use, as the kernel says. */
function cpusOf(pid: number): string[] {
  const lists = fs.readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = fs.readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return /^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1] ?? 'none';
  });
  return [...new Set(lists)];
}

/** CPUs of worker and backend of each role, while qr100 runs; then the run is interrupted. */
async function placesOf(run: Run): Promise<Record<string, string[]>> {
  await untilMeasured(run, 'qr100');
  const places: Record<string, string[]> = { pace: cpusOf(workerOf(run, 'pace')) };
  for (const role of ['insert', 'delete', 'query']) {
    places[role] = [...cpusOf(workerOf(run, role)), ...cpusOf(await backendOf(run, role))];
  }
  run.child.kill('SIGINT');
  assert.deepEqual(await run.ended, { code: 130, signal: null });
  return places;
}

function startPinned(...[t, label, args, wrapper]: PinnedRun): Run {
  const run = startRun(t, { args, ...(wrapper === undefined ? {} : { wrapper }) });
  return Object.assign(run, { tag: `${run.tag} [${label}]` });
}

type PinnedRun = [
  t: Parameters<typeof startRun>[0],
  label: string,
  args: readonly string[],
  wrapper?: readonly string[],
];

describe('--pin', () => {
  test('same: each worker and its backend are on one CPU, the pacer is with the inserter', async (t) => {
    const run = startPinned(t, 'pin=same', ['--pin', 'same']);
    const pair = (turn: number): string[] => [`${cpu(turn)}`, `${cpu(turn)}`];
    assert.deepEqual(await placesOf(run), {
      pace: [`${cpu(0)}`],
      insert: pair(0),
      delete: pair(1),
      query: pair(2),
    });
    const facts = query(
      run,
      `SELECT name, value FROM client_facts WHERE name IN ('pin', 'cpus') ORDER BY name`,
    );
    assert.deepEqual(
      facts.map(({ value }) => value),
      [CPUS.join(' '), 'same'],
    );
  });

  test('apart: a worker and its backend are on neighbouring CPUs; it needs two', async (t) => {
    const args = ['--pin', 'apart', '--driver', 'postgres.js'];
    const run = startPinned(t, 'postgres.js, pin=apart', args);
    if (CPUS.length === 1) {
      assert.deepEqual(await run.ended, { code: 2, signal: null });
      return;
    }
    const pair = (turn: number): string[] => [`${cpu(2 * turn)}`, `${cpu(2 * turn + 1)}`];
    assert.deepEqual(await placesOf(run), {
      pace: [`${cpu(0)}`],
      insert: pair(0),
      delete: pair(1),
      query: pair(2),
    });
  });

  test('uses the CPUs that the runner may use, and no other', async (t) => {
    const last = `${CPUS.at(-1)}`;
    const wrapper = ['taskset', '-c', last];
    const run = startPinned(t, 'pin=same', ['--pin', 'same'], wrapper);
    assert.deepEqual(await placesOf(run), {
      pace: [last],
      insert: [last, last],
      delete: [last, last],
      query: [last, last],
    });
    const refused = startRun(t, { args: ['--pin', 'apart'], wrapper });
    assert.deepEqual(await refused.ended, { code: 2, signal: null });
    assert.match(refused.stderr(), /--pin apart: expected at least two CPUs, .* CPU \d+$/m);
  });

  test('none, the default, leaves all CPUs to all', async (t) => {
    const run = startRun(t);
    await untilMeasured(run, 'qr100');
    const own = cpusOf(process.pid);
    assert.deepEqual(cpusOf(workerOf(run, 'insert')), own);
    assert.deepEqual(cpusOf(await backendOf(run, 'insert')), own);
    run.child.kill('SIGINT');
    await run.ended;
  });
});
