import assert from 'node:assert/strict';
import os from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from '@ibench/host';
import { applicationName, type RunContext } from '../src/run/context.ts';
import { watchStep } from '../src/run/step-watch.ts';
import { openBench } from './rate-support.ts';
import { until } from './support.ts';

const RUN_ID = 'watched';
const OWN: Backend = { pid: 1, applicationName: applicationName(RUN_ID, 'insert', 1) };
const STRANGER: Backend = { pid: 2, applicationName: 'psql' };

/** A watch of a step with one connection, on a server that counts how often it is asked for them. */
function startWatch(t: TestContext) {
  let asked = 0;
  const context = {
    runId: RUN_ID,
    server: {
      directories: [],
      isExclusive: true,
      backends: async () => {
        asked += 1;
        return [OWN];
      },
    },
    directory: os.tmpdir(),
    limits: { diskReserve: 0 },
  } as unknown as RunContext;
  const watch = watchStep(context, [OWN.applicationName], []);
  t.after(() => watch.close());
  const connections = async () => (await watch.end()).find(({ name }) => name === 'connections');
  return { watch, asked: () => asked, connections };
}

test('a watch that is shown the connections does not ask for them, and judges what it is shown', async (t) => {
  const { watch, asked, connections } = startWatch(t);
  for (let i = 0; i < 12; i += 1) {
    watch.see(i === 5 ? [OWN, STRANGER] : [OWN]);
    await sleep(250);
  }
  assert.equal(asked(), 0);
  assert.match(String((await connections())?.reason), /others: psql$/);
  assert.equal(asked(), 1, 'it looks once more at the end');
});

test('a watch that is shown nothing, or no more, asks', async (t) => {
  const { watch, asked, connections } = startWatch(t);
  watch.see([]);
  await until('it has asked twice', () => asked() >= 2);
  assert.match(String((await connections())?.reason), /missing: ibench\/watched\/insert\/1$/);
});

test('in a step that is sampled the samples are what the watch sees', async (t) => {
  const bench = await openBench({ intervalS: 1 });
  t.after(() => bench.close());
  await bench.load({ rows: 20_000 });
  const before = bench.timesAsked();
  const { result } = await bench.step('qr100', { seconds: 8 });
  const asked = bench.timesAsked() - before;
  const activity = result.server?.sampling.find(({ what }) => what === 'activity');
  const due = (activity?.samples ?? 0) + (activity?.missed ?? 0);
  // Once when it begins, once at its end, and now and then where a sample is late.
  assert.ok(asked <= due / 2, `asked ${asked} times beside ${due} samples`);
});
