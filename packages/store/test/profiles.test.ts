import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRun, loadProfiles, saveProfiles, startStep } from '../src/index.ts';
import { AT, newRun, temporaryStore } from './sample.ts';

test('stacks are read back as they were, in the order of the steps', (t) => {
  const store = temporaryStore(t);
  const identity = newRun();
  const runKey = createRun(store, identity);
  const sampled = {
    event: 'cpu-clock',
    callGraph: 'dwarf',
    frequencyHz: 99,
    fromS: 1,
    toS: 3,
  } as const;
  const stacks = new Map([
    ['main;f (a, b)', 98],
    ['main;g', 1],
  ]);
  const insert = { client: 1, role: 'insert', ...sampled, stacks };
  for (const [seq, step] of [
    [2, 'l.i2'],
    [1, 'l.i1'],
  ] as const) {
    saveProfiles(store, startStep(store, runKey, { seq, step, kind: 'write', startedAt: AT }), [
      insert,
    ]);
  }
  const { runId, tag } = identity;
  assert.deepEqual(loadProfiles(store, runId), [
    { runId, tag, step: 'l.i1', ...insert },
    { runId, tag, step: 'l.i2', ...insert },
  ]);
  assert.deepEqual(
    store.db.prepare('SELECT step, samples, on_cpu FROM profiles ORDER BY step').all(),
    [
      { step: 'l.i1', samples: 99, on_cpu: 0.5 },
      { step: 'l.i2', samples: 99, on_cpu: 0.5 },
    ],
  );
  assert.deepEqual(loadProfiles(store, 'another'), []);
});
