import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Audit, type AuditVerdict, bucketUpperUs } from '@ibench/core';
import {
  addOsSamples,
  addSeconds,
  addWarning,
  createRun,
  failStep,
  finishStep,
  type Store,
  savePlan,
  startStep,
} from '../src/index.ts';
import {
  AT,
  finished,
  ioSample,
  LATER,
  metrics,
  newRun,
  osSample,
  stepResult,
  temporaryStore,
  timesIn,
  worker,
} from './sample.ts';

function startOne(store: Store, step = 'l.i1'): number {
  const runKey = createRun(store, newRun());
  return startStep(store, runKey, { seq: 3, step, kind: 'write', startedAt: AT });
}

function rows(store: Store, sql: string): unknown[] {
  return store.db.prepare(sql).all();
}

test('metrics of a done step are in the metrics view under their own names', (t) => {
  const store = temporaryStore(t);
  finishStep(store, startOne(store), finished());
  assert.deepEqual(rows(store, 'SELECT * FROM metrics'), [
    {
      run_id: 'r1',
      tag: 'pg18.cx10b',
      build: 'pg18',
      config: 'cx10b',
      workload: 'tiny',
      repeat: 1,
      step: 'l.i1',
      seq: 3,
      status: 'done',
      ...metrics(),
      sla_ok: 1,
      client_bound: 1,
      invalid: 0,
    },
  ]);
});

for (const status of ['failed', 'interrupted', 'crashed'] as const) {
  test(`a step that ${status} has a row in metrics without a single figure`, (t) => {
    const store = temporaryStore(t);
    const step = startOne(store);
    const result = stepResult();
    const sqlstate = '53100';
    failStep(store, step, { status, message: 'disk full', sqlstate, finishedAt: LATER, result });
    const {
      run_id,
      tag,
      build,
      config,
      workload,
      repeat,
      step: name,
      seq,
      ...rest
    } = rows(store, 'SELECT * FROM metrics')[0] as Record<string, unknown>;
    const { status: shown, ...figures } = rest;
    assert.equal(shown, status);
    assert.deepEqual(
      Object.keys(figures).filter((column) => figures[column] !== null),
      [],
    );
    assert.deepEqual(Object.keys(figures).sort(), [...Object.keys(metrics()), 'invalid'].sort());
    assert.deepEqual(rows(store, 'SELECT status, message, sqlstate, finished_at FROM steps'), [
      { status, message: 'disk full', sqlstate, finished_at: LATER },
    ]);
  });
}

test('a failed step keeps its raw rows and has no summaries', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  addSeconds(store, step, [{ client: 1, kind: 'insert', second: 0, ops: 1, rows: 50, maxUs: 8 }]);
  const result = { workers: [worker()], warnings: ['odd'] };
  failStep(store, step, { status: 'failed', message: 'x', finishedAt: LATER, result });
  const counts = (views: readonly string[]): unknown[] =>
    views.map((view) => store.db.prepare(`SELECT count(*) FROM ${view}`).pluck().get());
  assert.deepEqual(counts(['per_second', 'workers', 'warnings', 'histogram_bucket']), [1, 1, 1, 1]);
  assert.deepEqual(
    counts([
      'step_results',
      'response_times',
      'response_percentiles',
      'decimal_histogram',
      'fairness',
    ]),
    [0, 0, 0, 0, 0],
  );
});

test('a figure that is not finite is NULL', (t) => {
  const store = temporaryStore(t);
  const odd = metrics({ cpupq: Number.NaN, wpi: Number.POSITIVE_INFINITY, rps: null });
  finishStep(store, startOne(store), finished({ metrics: odd }));
  assert.deepEqual(rows(store, 'SELECT cpupq, wpi, rps, wps FROM metrics'), [
    { cpupq: null, wpi: null, rps: null, wps: 6.5 },
  ]);
});

test('a step cannot end twice, and the first end stays', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  failStep(store, step, { status: 'failed', message: 'first', finishedAt: LATER });
  const again = { name: 'RunError', message: /is not running and cannot end again/ };
  assert.throws(() => finishStep(store, step, finished()), again);
  assert.throws(
    () => failStep(store, step, { status: 'crashed', message: 'second', finishedAt: LATER }),
    again,
  );
  assert.deepEqual(rows(store, 'SELECT status, message FROM steps'), [
    { status: 'failed', message: 'first' },
  ]);
});

test('a finish that cannot be written leaves the step running and nothing behind', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  const twice = stepResult({ workers: [worker(), worker()] });
  assert.throws(() => finishStep(store, step, finished({ result: twice })), {
    name: 'RunError',
    message: /^cannot write to the store .*UNIQUE/,
  });
  assert.deepEqual(rows(store, 'SELECT status FROM steps'), [{ status: 'running' }]);
  assert.deepEqual(rows(store, 'SELECT * FROM workers'), []);
  finishStep(store, step, finished());
});

test('rows for a step that does not exist are refused', (t) => {
  const store = temporaryStore(t);
  const row = { client: 1, kind: 'insert', second: 0, ops: 1, rows: 1, maxUs: 1 } as const;
  assert.throws(() => addSeconds(store, 99, [row]), { name: 'RunError', message: /FOREIGN KEY/ });
});

test('a later poll of a second replaces the earlier one', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  const first = { client: 1, kind: 'insert', second: 4, ops: 1, rows: 50, maxUs: 8 } as const;
  addSeconds(store, step, [first, { ...first, kind: 'delete' }]);
  addSeconds(store, step, [{ ...first, ops: 2, rows: 100, maxUs: 9.5 }]);
  assert.deepEqual(rows(store, 'SELECT * FROM per_second ORDER BY kind'), [
    {
      run_id: 'r1',
      step: 'l.i1',
      client: 1,
      kind: 'delete',
      second: 4,
      ops: 1,
      rows: 50,
      max_us: 8,
    },
    {
      run_id: 'r1',
      step: 'l.i1',
      client: 1,
      kind: 'insert',
      second: 4,
      ops: 2,
      rows: 100,
      max_us: 9.5,
    },
  ]);
});

test('a second without operations has no slowest operation', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  addSeconds(store, step, [{ client: 1, kind: 'insert', second: 0, ops: 0, rows: 0, maxUs: 0 }]);
  assert.deepEqual(rows(store, 'SELECT ops, max_us FROM per_second'), [{ ops: 0, max_us: null }]);
});

test('a second in which a statement was given up has its wait as the slowest', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  addSeconds(store, step, [{ client: 1, kind: 'insert', second: 0, ops: 0, rows: 0, maxUs: 7 }]);
  assert.deepEqual(rows(store, 'SELECT ops, max_us FROM per_second'), [{ ops: 0, max_us: 7 }]);
});

test('an OS sample has a row per device, replaced by second and device', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  addOsSamples(store, step, [osSample(1, { io: [ioSample('a'), ioSample('b')] })]);
  addOsSamples(store, step, [osSample(1, { vm: null, io: [ioSample('b', { utilPct: 99 })] })]);
  addOsSamples(store, step, [osSample(2, { io: [] })]);
  addOsSamples(store, step, [osSample(3, { vm: null })]);
  const sql = 'SELECT second, device, cs, gu, util_pct FROM os_samples ORDER BY second, device';
  assert.deepEqual(rows(store, sql), [
    { second: 1, device: 'a', cs: 12, gu: null, util_pct: 11 },
    { second: 1, device: 'b', cs: 12, gu: null, util_pct: 99 },
    { second: 2, device: null, cs: 12, gu: null, util_pct: null },
    { second: 3, device: 'nvme0n1', cs: null, gu: null, util_pct: 11 },
  ]);
});

test('every column of an OS sample carries its own figure', (t) => {
  const store = temporaryStore(t);
  addOsSamples(store, startOne(store), [osSample(1)]);
  const sample = rows(store, 'SELECT * FROM os_samples')[0] as Record<string, unknown>;
  const vm = ['r', 'b', 'swpd', 'free', 'buff', 'cache', 'si', 'so', 'bi', 'bo', 'interrupts']
    .concat(['cs', 'us', 'sy', 'idle', 'wa', 'st'])
    .map((column) => sample[column]);
  assert.deepEqual(
    vm,
    Array.from({ length: 17 }, (_, i) => i + 1),
  );
  const io = ['reads_per_s', 'read_kb_per_s', 'read_await_ms', 'writes_per_s', 'write_kb_per_s']
    .concat(['write_await_ms', 'discards_per_s', 'discard_kb_per_s', 'discard_await_ms'])
    .concat(['queue_size', 'util_pct'])
    .map((column) => sample[column]);
  assert.deepEqual(
    io,
    Array.from({ length: 11 }, (_, i) => i + 1),
  );
});

test('percentiles are kept for each client, over its workers, and for all clients as given', (t) => {
  const store = temporaryStore(t);
  const quick = timesIn(20, 90, { maxUs: 2 });
  const slow = timesIn(60, 10, { maxUs: 6 });
  const workers = [
    worker({ client: 2, role: 'query', pid: 1, times: [quick] }),
    worker({ client: 2, role: 'query', pid: 2, times: [slow] }),
    worker({ client: 1, role: 'pace', pid: 3, times: [] }),
    worker({ client: 1, role: 'insert', pid: 4, times: [slow, { ...quick, clock: 'response' }] }),
  ];
  finishStep(store, startOne(store), finished({ result: stepResult({ workers }) }));
  const sql = `SELECT client, kind, clock, count, p50, p90, p95, p9999, max_us FROM response_percentiles
    ORDER BY client, kind, clock`;
  const all = { p50: 5, p90: 6, p95: 7, p9999: 10.5, max_us: 1000.1 };
  const onlyQuick = { p50: 2, p90: 2, p95: 2, p9999: 2, max_us: 2 };
  const onlySlow = { p50: 6, p90: 6, p95: 6, p9999: 6, max_us: 6 };
  assert.deepEqual(rows(store, sql), [
    { client: null, kind: 'insert', clock: 'service', count: 10, ...all },
    { client: 1, kind: 'insert', clock: 'response', count: 90, ...onlyQuick },
    { client: 1, kind: 'insert', clock: 'service', count: 10, ...onlySlow },
    {
      client: 2,
      kind: 'query',
      clock: 'service',
      count: 100,
      ...onlyQuick,
      p95: 6,
      p9999: 6,
      max_us: 6,
    },
  ]);
  const decimal = rows(
    store,
    'SELECT count, le_256us, le_1ms, gt_16s FROM decimal_histogram WHERE client = 2',
  );
  assert.deepEqual(decimal, [{ count: 100, le_256us: 98, le_1ms: 2, gt_16s: 0 }]);
});

test('the histogram of a client is the sum of its workers, by upper bounds', (t) => {
  const store = temporaryStore(t);
  const workers = [
    worker({ role: 'query', pid: 1, times: [timesIn(700, 3)] }),
    worker({ role: 'query', pid: 2, times: [timesIn(700, 4)] }),
    worker({ role: 'query', pid: 3, times: [timesIn(20, 5)] }),
  ];
  finishStep(store, startOne(store), finished({ result: stepResult({ workers }) }));
  assert.deepEqual(rows(store, 'SELECT * FROM response_times ORDER BY upper_us'), [
    {
      run_id: 'r1',
      step: 'l.i1',
      client: 1,
      kind: 'query',
      clock: 'service',
      upper_us: 2,
      count: 5,
    },
    {
      run_id: 'r1',
      step: 'l.i1',
      client: 1,
      kind: 'query',
      clock: 'service',
      upper_us: bucketUpperUs(700),
      count: 7,
    },
  ]);
});

test('a worker is shown with its times, CPU and resync queries', (t) => {
  const store = temporaryStore(t);
  const resync = { name: 'getmin', count: 4, totalUs: 2_000_000, maxUs: 1_500_000 } as const;
  const workers = [
    worker({ role: 'delete', resync }),
    worker({ role: 'pace', backendPid: null, backendCpu: null, times: [] }),
    worker({ role: 'query', resync: { name: 'getmax', count: 0, totalUs: 0, maxUs: 0 } }),
  ];
  finishStep(store, startOne(store), finished({ result: stepResult({ workers }) }));
  const same = {
    run_id: 'r1',
    step: 'l.i1',
    status: 'done',
    client: 1,
    pid: 100,
    finished_s: 12.5,
    operations: 10,
    rows: 1000,
    retries: 1,
    errors: 0,
    cpu_user_s: 1.25,
    cpu_system_s: 0.5,
    wait_server_s: 9,
    generate_s: 1,
    wait_queue_s: 2,
  };
  const shares = {
    wait_server_share: 0.72,
    generate_share: 0.08,
    wait_queue_share: 0.16,
    other_share: 0.04,
  };
  const noShares = {
    wait_server_share: null,
    generate_share: null,
    wait_queue_share: null,
    other_share: null,
  };
  const backend = { backend_pid: 200, backend_cpu_user_s: 3.5, backend_cpu_system_s: 0.25 };
  const none = { resync: null, resync_count: null, resync_mean_s: null, resync_max_s: null };
  assert.deepEqual(rows(store, 'SELECT * FROM workers ORDER BY role'), [
    {
      ...same,
      ...backend,
      role: 'delete',
      resync: 'getmin',
      resync_count: 4,
      resync_mean_s: 0.5,
      resync_max_s: 1.5,
      ...shares,
    },
    {
      ...same,
      ...none,
      ...noShares,
      role: 'pace',
      backend_pid: null,
      backend_cpu_user_s: null,
      backend_cpu_system_s: null,
    },
    { ...same, ...backend, ...none, role: 'query', resync: 'getmax', resync_count: 0, ...shares },
  ]);
});

test('a worker that was broken off has no shares of a time that is not known', (t) => {
  const store = temporaryStore(t);
  const result = { workers: [worker({ finishedS: 0, errors: 1 })] };
  failStep(store, startOne(store), { status: 'failed', message: 'x', finishedAt: LATER, result });
  assert.deepEqual(
    rows(store, 'SELECT wait_server_s, wait_server_share, other_share FROM workers'),
    [{ wait_server_s: 9, wait_server_share: null, other_share: null }],
  );
});

test('each client of a done step has its end and its rate: inserts in l.*, queries in q*', (t) => {
  const store = temporaryStore(t);
  const workers = [
    worker({ client: 2, finishedS: 12.5, rows: 1000 }),
    worker({ client: 1, finishedS: 10, rows: 1000 }),
    worker({ client: 1, role: 'delete', finishedS: 12, rows: 1000 }),
    worker({ client: 1, role: 'query', finishedS: 12.5, operations: 50 }),
  ];
  const runKey = createRun(store, newRun());
  for (const [i, step] of ['l.i1', 'qr100'].entries()) {
    const key = startStep(store, runKey, { seq: i + 1, step, kind: 'write', startedAt: AT });
    finishStep(store, key, finished({ result: stepResult({ workers }) }));
  }
  assert.deepEqual(rows(store, 'SELECT * FROM fairness ORDER BY step, client'), [
    { run_id: 'r1', step: 'l.i1', client: 1, finished_s: 10, rate: 100 },
    { run_id: 'r1', step: 'l.i1', client: 2, finished_s: 12.5, rate: 80 },
    { run_id: 'r1', step: 'qr100', client: 1, finished_s: 12.5, rate: 4 },
  ]);
});

test('counters, sizes, CPU split and table rows of a step are kept as they were read', (t) => {
  const store = temporaryStore(t);
  finishStep(store, startOne(store), finished());
  const step = { run_id: 'r1', step: 'l.i1' };
  const cpu = { user_s: 1, nice_s: 2, system_s: 3, idle_s: 4, iowait_s: 5, irq_s: 6, softirq_s: 7 };
  const counters = { ...cpu, steal_s: 8, cpus: 8, context_switches: 99 };
  assert.deepEqual(rows(store, 'SELECT * FROM os_counters ORDER BY moment DESC'), [
    { ...step, status: 'done', moment: 'start', at_s: 1, ...counters },
    { ...step, status: 'done', moment: 'end', at_s: 13.5, ...counters },
  ]);
  const disk = { reads: 1, read_sectors: 2, read_ms: 3, writes: 4, write_sectors: 5, write_ms: 6 };
  const device = { device: 'nvme0n1', ...disk, flushes: null, flush_ms: null };
  assert.deepEqual(rows(store, 'SELECT * FROM disk_counters ORDER BY moment DESC'), [
    { ...step, status: 'done', moment: 'start', ...device },
    { ...step, status: 'done', moment: 'end', ...device },
  ]);
  assert.deepEqual(rows(store, 'SELECT * FROM step_results'), [
    {
      ...step,
      rows_indexed: 0,
      database_bytes: 8_000_000,
      data_directory_bytes: null,
      resident_bytes: 1_000_000,
      wal_bytes: 500_000,
      full_page_images: null,
      cpu_insert_backends_s: 3.75,
      cpu_delete_backends_s: 0,
      cpu_query_backends_s: 0,
      cpu_maintenance_backend_s: 0,
      cpu_background_s: 0.5,
      cpu_load_generator_s: 1.75,
    },
  ]);
  assert.deepEqual(rows(store, 'SELECT * FROM table_rows'), [
    { ...step, status: 'done', table_name: 'pi1', rows_before: 0, rows_after: null },
  ]);
});

test('what the host could not read is NULL or absent, not zero', (t) => {
  const store = temporaryStore(t);
  const result = stepResult({ cpuSplit: null, osBefore: null, osAfter: null });
  finishStep(store, startOne(store), finished({ result }));
  assert.deepEqual(rows(store, 'SELECT * FROM os_counters'), []);
  assert.deepEqual(rows(store, 'SELECT cpu_background_s, cpu_load_generator_s FROM step_results'), [
    { cpu_background_s: null, cpu_load_generator_s: null },
  ]);
});

test('warnings keep their order, the same text once, and the latest plan stays', (t) => {
  const store = temporaryStore(t);
  const step = startOne(store);
  addWarning(store, step, 'z first');
  addWarning(store, step, 'a second');
  addWarning(store, step, 'z first');
  finishStep(store, step, finished({ result: stepResult({ warnings: ['a second', 'third'] }) }));
  addWarning(store, step, 'afterwards');
  assert.deepEqual(store.db.prepare('SELECT text FROM warnings').pluck().all(), [
    'z first',
    'a second',
    'third',
    'afterwards',
  ]);
  savePlan(store, step, 'range 1', 'Seq Scan');
  savePlan(store, step, 'range 1', 'Index Only Scan');
  assert.deepEqual(rows(store, 'SELECT * FROM query_plans'), [
    { run_id: 'r1', step: 'l.i1', statement: 'range 1', plan: 'Index Only Scan' },
  ]);
});

test('the metrics say which steps are invalid, and nothing of a step that is not done', (t) => {
  const store = temporaryStore(t);
  const runKey = createRun(store, newRun());
  const audit = (verdict: AuditVerdict): Audit[] => [
    { name: 'steal', verdict, value: 1, bound: 1, reason: verdict },
    { name: 'clock', verdict: 'ok', value: 0, bound: 1, reason: 'ok' },
  ];
  for (const [i, verdict] of (['ok', 'warned', 'invalid'] as const).entries()) {
    const start = { seq: i + 1, step: `l.i${i}`, kind: 'load' as const, startedAt: AT };
    const made = finished();
    const result = { ...made.result, audits: audit(verdict) };
    finishStep(store, startStep(store, runKey, start), { ...made, result });
  }
  startStep(store, runKey, { seq: 4, step: 'l.x', kind: 'index', startedAt: AT });
  const rows = store.db.prepare('SELECT step, invalid FROM metrics ORDER BY seq').raw().all();
  assert.deepEqual(rows, [
    ['l.i0', 0],
    ['l.i1', 0],
    ['l.i2', 1],
    ['l.x', null],
  ]);
});
