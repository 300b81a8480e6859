import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRun,
  finishRun,
  finishStep,
  loadDurations,
  saveRunFacts,
  startStep,
} from '../src/index.ts';
import { AT, finished, LATER, metrics, newRun, stepResult, temporaryStore } from './sample.ts';

test('durations are those of runs that were done, with the rows of each step', (t) => {
  const store = temporaryStore(t);
  const done = createRun(store, newRun());
  const facts = { rows: 1e10, deletes: 'false', settle_seconds: null };
  saveRunFacts(store, done, 'workload', new Map(Object.entries(facts)));
  const load = startStep(store, done, { step: 'l.i0', seq: 1, kind: 'load', startedAt: AT });
  finishStep(store, load, finished({ metrics: metrics({ seconds: 10, rows_inserted: 500 }) }));
  const index = startStep(store, done, { step: 'l.x', seq: 2, kind: 'index', startedAt: AT });
  finishStep(
    store,
    index,
    finished({
      result: stepResult({ rowsIndexed: 500 }),
      metrics: metrics({ seconds: 2, rows_inserted: 0 }),
    }),
  );
  finishRun(store, done, { status: 'done', message: null, finishedAt: LATER });
  const failed = createRun(store, newRun({ runId: 'r2' }));
  const step = startStep(store, failed, { step: 'l.i0', seq: 1, kind: 'load', startedAt: AT });
  finishStep(store, step, finished());
  finishRun(store, failed, { status: 'failed', message: 'no', finishedAt: LATER });
  const [run, ...others] = loadDurations(store);
  assert.deepEqual(others, []);
  const seconds = (Date.parse(LATER) - Date.parse(AT)) / 1000;
  assert.ok(Math.abs((run?.seconds ?? 0) - seconds) < 0.01, `${run?.seconds}`);
  assert.deepEqual(
    { ...run, seconds },
    {
      build: 'pg18',
      config: 'cx10b',
      workload: 'tiny',
      parameters: facts,
      clients: 2,
      cpus: 8,
      seconds,
      steps: [
        { step: 'l.i0', seconds: 10, rows: 500 },
        { step: 'l.x', seconds: 2, rows: 500 },
      ],
    },
  );
});
