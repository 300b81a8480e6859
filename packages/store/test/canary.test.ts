import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRun, finishRun, loadCanaries, type Store, saveCanary } from '../src/index.ts';
import { AT, LATER, newRun, temporaryStore } from './sample.ts';

const FIGURES = { cpuMs: 100, memoryMbPerS: 5000, flushUs: null, writeUs: 5.5 };

/** A run with one reading before and one after. */
function withReadings(
  store: Store,
  repeat: number,
  { place = 'db1 /data', status = 'done' as 'done' | 'failed' } = {},
): number {
  const key = createRun(store, newRun({ runId: `r${repeat}` }));
  for (const [moment, cpuMs] of [
    ['before', repeat],
    ['after', repeat + 0.5],
  ] as const) {
    const figures = { ...FIGURES, cpuMs };
    saveCanary(store, key, { moment, stepKey: null, at: AT, place, figures });
  }
  finishRun(store, key, { status, message: status === 'done' ? null : 'x', finishedAt: LATER });
  return key;
}

test('a run is held against earlier runs that are done, in the same place', (t) => {
  const store = temporaryStore(t);
  withReadings(store, 1);
  withReadings(store, 2, { place: 'db1 /other' });
  withReadings(store, 3, { status: 'failed' });
  withReadings(store, 4);
  const key = withReadings(store, 5);
  withReadings(store, 6);
  const figures = (cpuMs: number) => ({ ...FIGURES, cpuMs });
  assert.deepEqual(loadCanaries(store, key), {
    own: [figures(5), figures(5.5)],
    earlier: [
      [figures(1), figures(1.5)],
      [figures(4), figures(4.5)],
    ],
  });
  assert.deepEqual(store.db.prepare('SELECT count(*) FROM canaries').pluck().get(), 12);
});

test('a run without readings has nothing to be judged by', (t) => {
  const store = temporaryStore(t);
  withReadings(store, 1);
  const key = createRun(store, newRun({ runId: 'r2' }));
  assert.deepEqual(loadCanaries(store, key), { own: [], earlier: [] });
});
