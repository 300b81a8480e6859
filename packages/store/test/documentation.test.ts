import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import {
  addOsSamples,
  addSeconds,
  addServerSecond,
  createRun,
  failStep,
  finishStep,
  type Store,
  saveSettings,
  startStep,
} from '../src/index.ts';
import { AT, finished, LATER, newRun, osSample, temporaryStore } from './sample.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/STORE.md', import.meta.url), 'utf8');

/** Columns by view, from the headings and tables of the document. */
function documentedViews(): Map<string, string[]> {
  const views = new Map<string, string[]>();
  for (const section of DOCUMENT.split(/^### /m).slice(1)) {
    const view = /^`(\w+)`/.exec(section)?.[1];
    assert.ok(view, `a view's name is the heading of: ${section.slice(0, 40)}`);
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map((match) => match[1] as string);
    const columns = cells.flatMap((cell) =>
      [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] as string),
    );
    views.set(view, columns);
  }
  return views;
}

/** Two builds that finished one step and failed the next. */
function filledStore(t: TestContext): Store {
  const store = temporaryStore(t);
  for (const build of ['pg17', 'pg18']) {
    const identity = { runId: build, build, tag: `${build}.cx10b` };
    const key = createRun(store, newRun(identity));
    const row = { requested: null, unit: null, source: 'default' };
    saveSettings(store, key, [{ name: 'server_version', actual: build, ...row }]);
    const done = startStep(store, key, { seq: 1, step: 'l.i1', kind: 'write', startedAt: AT });
    addSeconds(store, done, [{ client: 1, kind: 'insert', second: 1, ops: 1, rows: 9, maxUs: 8 }]);
    addOsSamples(store, done, [osSample(1)]);
    addServerSecond(store, done, {
      second: 1,
      samples: 1,
      coveredS: 1,
      waits: [{ role: 'delete', waitType: 'IO', waitEvent: 'DataFileRead', sessions: 1 }],
      series: [{ name: 'cpu_s', object: 'delete', value: 0.5 }],
    });
    finishStep(store, done, finished());
    const failed = startStep(store, key, { seq: 2, step: 'l.i2', kind: 'write', startedAt: AT });
    failStep(store, failed, { status: 'failed', message: 'disk full', finishedAt: LATER });
  }
  return store;
}

test('the document lists exactly the views of the file and their columns', (t) => {
  const { db } = temporaryStore(t);
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck().all();
  const actual = (names as string[]).map((view): [string, unknown[]] => [
    view,
    db.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(view),
  ]);
  assert.deepEqual(Object.fromEntries(documentedViews()), Object.fromEntries(actual));
});

test('every query of the document runs and finds something', (t) => {
  const { db } = filledStore(t);
  const queries = [...DOCUMENT.matchAll(/^```sql\n(.*?)^```/gms)].map(
    (match) => match[1] as string,
  );
  assert.ok(queries.length >= 5, `expected at least 5 queries, found ${queries.length}`);
  for (const query of queries) assert.notDeepEqual(db.prepare(query).all(), [], query);
});

test('a query for one step reads that step only', (t) => {
  const { db } = temporaryStore(t);
  const views = [
    'metrics',
    'per_second',
    'response_times',
    'response_percentiles',
    'os_samples',
    'server_statistics',
    'waits_per_second',
    'server_series_per_second',
  ];
  for (const view of views) {
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN SELECT * FROM ${view} WHERE run_id = 'r' AND step = 'l.i1'`)
      .all() as { detail: string }[];
    const scans = plan
      .map((line) => line.detail)
      .filter((detail) => detail.startsWith('SCAN') && detail !== `SCAN ${view}`);
    assert.deepEqual(scans, [], view);
  }
});
