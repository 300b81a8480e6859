import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Comparability, type TimesSummary, UsageError } from '@ibench/core';
import { brokenStep, run, step } from '@ibench/core/testing';
import { buildReport } from '../src/index.ts';
import { findCell, findTable } from './tables.ts';
import { variedRuns } from './varied-runs.ts';

test('without runs there are no tables', () => {
  assert.deepEqual(buildReport([]), []);
});

test('one run has nothing to be compared with: no relative table and no marks', () => {
  const tables = buildReport([run('a.x', [step('l.i0', { ips: 100 })])]);
  assert.deepEqual(
    tables.map(({ id }) => id),
    ['summary', 'metrics', 'details'],
  );
  assert.deepEqual(findCell(tables[0]!, 'a.x', 'l.i0'), { value: 100, text: '100', mark: 'none' });
});

test('tables come in the order of the reports: warnings, three over all steps, then step by step', () => {
  const ids = buildReport(variedRuns(), { steps: ['l.i0', 'qp1000'] }).map(
    ({ id, step: name }) => `${name ?? 'all'} ${id}`,
  );
  assert.deepEqual(ids, [
    'all warnings',
    'all summary',
    'all relative',
    'all sla',
    ...['histogram', 'percentiles', 'metrics', 'details', 'fairness'].map((id) => `l.i0 ${id}`),
    ...['histogram', 'percentiles', 'metrics', 'details'].map((id) => `qp1000 ${id}`),
  ]);
});

test('steps are columns in the order of the benchmark, without settle, whatever order they are given in', () => {
  const { columns } = findTable(
    buildReport(variedRuns(), { steps: ['qr100', 'settle', 'l.x', 'l.i0'] }),
    'summary',
  );
  assert.deepEqual(
    columns.filter(({ dataOnly }) => !dataOnly).map(({ key }) => key),
    ['tag', 'n', 'l.i0', 'l.x', 'qr100'],
  );
});

test('an unknown step is refused with the steps there are', () => {
  assert.throws(() => buildReport(variedRuns(), { steps: ['l.i9'] }), {
    name: 'UsageError',
    message:
      'Step "l.i9" is not among the runs; expected one of: l.i0, l.x, l.i1, settle, qr100, qp1000',
  });
});

test('an unknown base is refused with the tags there are', () => {
  assert.throws(() => buildReport(variedRuns(), { base: 'pg99' }), {
    name: 'UsageError',
    message:
      'Base "pg99" is not among the runs; expected one of: pg152.cx7, pg16beta.cx7, pg17slow.cx7, pg18.cx7',
  });
});

test('a named base replaces the first row', () => {
  const tables = buildReport(
    [run('a', [step('l.i0', { ips: 50 })]), run('b', [step('l.i0', { ips: 100 })])],
    { base: 'b' },
  );
  assert.deepEqual(findCell(findTable(tables, 'relative'), 'a', 'l.i0'), {
    value: 0.5,
    text: '0.50',
    mark: 'bad',
    bySize: true,
  });
});

test('repeats are one row: the median, their number, and a note where one is missing', () => {
  const tables = buildReport(variedRuns());
  const summary = findTable(tables, 'summary');
  assert.equal(findCell(summary, 'pg152.cx7', 'n').value, 3);
  assert.equal(findCell(summary, 'pg152.cx7', 'l.i0').value, 270270.3);
  assert.equal(findCell(summary, 'pg152.cx7', 'qp1000').text, '29822');
  assert.deepEqual(summary.footnotes.slice(-2), [
    'n > 1: medians over n repeats; histograms add them up',
    'pg152.cx7, qp1000: median of the 2 of 3 repeats in which it is done',
  ]);
});

test('histograms of repeats are added up, the slowest of all is kept, percentiles are medians', () => {
  const repeat = (maxUs: number, decimal: number[]) => {
    const count = decimal.reduce((sum, n) => sum + n, 0);
    const inserts = { kind: 'insert', clock: 'service', count, maxUs, decimal } as const;
    return step('l.i0', { ips: 1 }, { times: [{ ...inserts, percentiles: { p50: maxUs / 100 } }] });
  };
  const tables = buildReport([
    run('a', [repeat(9000, [10, 0])]),
    run('a', [repeat(40_000, [20, 10])]),
    run('a', [repeat(8000, [0, 40])]),
  ]);
  const histogram = findTable(tables, 'histogram', 'l.i0');
  assert.equal(findCell(histogram, 'a', '256us').text, '37.500');
  assert.equal(findCell(histogram, 'a', '1ms').text, '62.500');
  assert.equal(findCell(histogram, 'a', 'max_us').text, '40.0 ms');
  const percentiles = findTable(tables, 'percentiles', 'l.i0');
  assert.equal(findCell(percentiles, 'a', 'count').value, 80);
  assert.equal(findCell(percentiles, 'a', 'p50_us').value, 90);
  assert.equal(findCell(percentiles, 'a', 'p99_us').text, 'NA');
});

test('a repeat in which no statement was done before the step ended has a slowest, and no part in percentiles', () => {
  const repeat = (count: number, maxUs: number, p50: number) => {
    const deletes = { kind: 'delete', clock: 'service', decimal: [count], percentiles: { p50 } };
    return step('qr100', { ips: 1 }, { times: [{ ...deletes, count, maxUs } as TimesSummary] });
  };
  const tables = buildReport([
    run('a', [repeat(0, 2_000_000, Number.NaN)]),
    run('a', [repeat(4, 90, 70)]),
    run('b', [repeat(0, 3_000_000, Number.NaN)]),
  ]);
  const histogram = findTable(tables, 'histogram', 'qr100');
  assert.equal(findCell(histogram, 'a', 'max_us').text, '2.00 s');
  assert.equal(findCell(histogram, 'b', 'max_us').text, '3.00 s');
  const percentiles = findTable(tables, 'percentiles', 'qr100');
  assert.equal(findCell(percentiles, 'a', 'p50_us').value, 70);
  assert.equal(findCell(percentiles, 'b', 'p50_us').text, 'NA');
});

test('runs of one tag on different workloads or clients are rows of their own', () => {
  const one = step('l.i0', { ips: 100 });
  const tables = buildReport([run('a', [one]), run('a', [one], { workload: 'big', clients: 4 })]);
  assert.deepEqual(
    findTable(tables, 'summary').rows.map(({ cells }) => cells[0]!.text),
    ['a (cached, 1 client)', 'a (big, 4 clients)'],
  );
  assert.throws(
    () => buildReport([run('a', [one]), run('a', [one], { clients: 4 })], { base: 'a' }),
    (error) =>
      error instanceof UsageError && /more than one row.*a \(4 clients\)/.test(error.message),
  );
});

test('a failed step shows its status and no number anywhere, even where metrics were stored', () => {
  const measured = step('l.i1', { ips: 123456 });
  const tables = buildReport([
    run('a', [measured]),
    run('b', [{ ...measured, status: 'failed', message: 'disk full' }]),
  ]);
  const cell = findCell(findTable(tables, 'summary'), 'b', 'l.i1');
  assert.deepEqual(cell, { value: 'failed', text: 'failed', mark: 'absent' });
  assert.equal(findCell(findTable(tables, 'relative'), 'b', 'l.i1').text, 'failed');
  assert.equal(findTable(tables, 'metrics', 'l.i1').rows.length, 1);
});

test('a step that a run does not have is blank', () => {
  const tables = buildReport([run('a', [step('l.i0', { ips: 1 })]), run('b', [])]);
  assert.deepEqual(findCell(findTable(tables, 'summary'), 'b', 'l.i0'), {
    value: null,
    text: '',
    mark: 'absent',
  });
});

test('what was not measured is NA and null, never zero', () => {
  const tables = buildReport([run('a', [step('l.i0', { ips: null })])]);
  assert.equal(findCell(findTable(tables, 'summary'), 'a', 'l.i0').text, 'NA');
  const { cells } = findTable(tables, 'metrics', 'l.i0').rows[0]!;
  assert.deepEqual(
    cells.slice(0, 20).map(({ value, text }) => [value, text]),
    Array(20).fill([null, 'NA']),
  );
});

test('a run that missed the SLA is marked as that and does not set the range of the others', () => {
  const query = (qps: number, ips: number) => step('qr100', { qps, ips, target_ips: 400 });
  const tables = buildReport([
    run('low', [query(5000, 400)]),
    run('mid', [query(7600, 380)]),
    run('high', [query(10000, 399.7)]),
    run('missed', [query(20000, 379)]),
  ]);
  const marks = (id: string) =>
    ['low', 'mid', 'high', 'missed'].map(
      (tag) => findCell(findTable(tables, id), tag, 'qr100').mark,
    );
  assert.deepEqual(marks('summary'), ['bad', 'none', 'good', 'missed-sla']);
  assert.deepEqual(marks('relative'), ['none', 'good', 'good', 'missed-sla']);
  const sla = findTable(tables, 'sla');
  assert.equal(findCell(sla, 'mid', 'qr100').text, '380 of 400  95.0%');
  assert.deepEqual(findCell(sla, 'missed', 'qr100'), {
    value: 379,
    text: '379 of 400  94.8%',
    mark: 'missed-sla',
  });
});

test('a base that missed the SLA is named under the relative table', () => {
  const tables = buildReport([
    run('a', [step('qr100', { qps: 9, ips: 100, target_ips: 400 })]),
    run('b', [step('qr100', { qps: 9, ips: 400, target_ips: 400 })]),
  ]);
  assert.match(findTable(tables, 'relative').footnotes.join(), /^qr100: the base missed the SLA/);
});

test('the mean of a row is geometric, over the steps that both sides did validly and within the SLA', () => {
  const query = (ips: number) => step('qr100', { qps: 90, ips, target_ips: 400 });
  const audits = [
    { name: 'settings', verdict: 'invalid', value: 1, bound: 0, reason: 'changed' },
  ] as const;
  const [i0, x, i1] = [
    (ips: number) => step('l.i0', { ips }),
    (ips: number) => step('l.x', { ips }),
    (ips: number) => step('l.i1', { ips }),
  ];
  const relative = findTable(
    buildReport([
      run('a', [i0(100), x(100), i1(100), query(400)]),
      run('b', [i0(200), x(50), i1(900), query(400)]),
      run('c', [i0(800), x(200), query(300)]),
      run('d', [i0(300), step('l.x', { ips: 9 }, { audits }), query(100)]),
    ]),
    'relative',
  );
  assert.deepEqual(
    relative.rows.map(({ cells }) => cells.slice(-2).map(({ text }) => text)),
    [
      ['1.00', '4'],
      // (2 × 0.5 × 9 × 1)^(1/4)
      ['1.73', '4'],
      // (8 × 2)^(1/2)
      ['4.00', '2'],
      ['3.00', '1'],
    ],
  );
});

test('a verdict on the median tells of repeats that ended the other way', () => {
  const query = (ips: number) => [
    step('qr100', { qps: 9, ips, target_ips: 400, sla_ok: ips >= 380 }),
  ];
  const tables = buildReport([run('a', query(399)), run('a', query(300)), run('a', query(398))]);
  assert.deepEqual(findTable(tables, 'sla').footnotes, ['a, qr100: 1 of 3 repeats missed the SLA']);
});

test('a ratio to a base of zero is inf, and 0/0 is 1', () => {
  const tables = buildReport([0, 0, 5].map((ips, i) => run(`r${i}`, [step('l.i0', { ips })])));
  assert.deepEqual(
    findTable(tables, 'relative').rows.map(({ cells }) => cells[1]!.text),
    ['1.00', '1.00', 'inf'],
  );
});

test('response times from when a statement was due are told from service times', () => {
  const { rows } = findTable(buildReport(variedRuns()), 'histogram', 'qr100');
  const clocks = rows
    .filter(({ cells }) => cells[0]!.value === 'insert')
    .map(({ cells }) => cells[1]!);
  assert.deepEqual(
    clocks.filter(({ text }) => text !== '').map(({ value, text }) => [value, text]),
    [
      ['service', 'from when it was sent'],
      ['response', 'from when it was due'],
    ],
  );
});

test('the slowest quarter of the max column is bad, the fastest good, each kind by itself', () => {
  const slow = (maxUs: number) =>
    step(
      'l.i1',
      { ips: 1 },
      {
        times: [
          { kind: 'insert', clock: 'service', count: 1, maxUs, decimal: [1], percentiles: {} },
        ],
      },
    );
  const table = findTable(
    buildReport([run('a', [slow(10_000)]), run('b', [slow(26_000)]), run('c', [slow(18_000)])]),
    'histogram',
    'l.i1',
  );
  assert.deepEqual(
    table.rows.map(({ cells }) => cells.at(-1)),
    [
      { value: 10_000, text: '10.0 ms', mark: 'good' },
      { value: 26_000, text: '26.0 ms', mark: 'bad' },
      { value: 18_000, text: '18.0 ms', mark: 'none' },
    ],
  );
});

test('warnings name run and step; a failure told by its step is not told again by its run', () => {
  const tables = buildReport([
    run('a', [brokenStep('l.i0', 'failed', 'disk full')], {
      status: 'failed',
      message: 'disk full',
    }),
    run('b', [step('l.i0', { ips: 1 }, { warnings: ['only 12 s long'] })]),
    run('c', [], { status: 'crashed', message: 'server is gone' }),
  ]);
  assert.deepEqual(
    tables[0]!.rows.map(({ cells }) => cells.map(({ text }) => text)),
    [
      ['failed', 'a', 'l.i0', 'a-1', 'disk full'],
      ['warning', 'b', 'l.i0', 'b-1', 'only 12 s long'],
      ['crashed', 'c', '', 'c-1', 'server is gone'],
    ],
  );
});

test('a warning that several steps of a run have is one row that names them', () => {
  const slow = { warnings: ['track_io_timing is off', 'short'] };
  const steps = [
    step('l.i0', { ips: 1 }, slow),
    step('l.x', { ips: 1 }, { warnings: ['track_io_timing is off'] }),
    step('l.i1', { ips: 1 }, slow),
  ];
  const tables = buildReport([run('a', steps), run('b', steps.slice(0, 1))]);
  assert.deepEqual(
    tables[0]!.rows.map(({ cells }) => [1, 2, 4].map((at) => cells[at]!.text)),
    [
      ['a', 'l.i0, l.x, l.i1', 'track_io_timing is off'],
      ['a', 'l.i0, l.i1', 'short'],
      ['b', 'l.i0', 'track_io_timing is off'],
      ['b', 'l.i0', 'short'],
    ],
  );
});

test('every table has as many cells in a row as columns, and one id has one set of columns', () => {
  const keysById = new Map<string, string>();
  for (const { id, columns, rows } of buildReport(variedRuns())) {
    const keys = columns.map(({ key }) => key).join();
    assert.equal(keysById.get(id) ?? keys, keys);
    keysById.set(id, keys);
    for (const { cells } of rows) assert.equal(cells.length, columns.length);
  }
});

test('the steps of a single run share one table of each kind, led by the step', () => {
  const steps = [step('l.i0', { ips: 100, otcpupq: -0.01 }), step('l.i1', { ips: 200 })];
  const tables = buildReport([run('a', steps)]);
  const metrics = tables.filter(({ id }) => id === 'metrics');
  assert.equal(metrics.length, 1);
  assert.equal(metrics[0]!.columns[0]!.key, 'step');
  assert.deepEqual(
    metrics[0]!.rows.map(({ cells }) => [cells[0]!.value, cells[1]!.text]),
    [
      ['l.i0', '100'],
      ['l.i1', '200'],
    ],
  );
  const details = tables.find(({ id }) => id === 'details')!;
  const other = details.columns.findIndex(({ key }) => key === 'otcpupq');
  assert.equal(details.rows[0]!.cells[other]!.text, '0.0');
  assert.equal(
    buildReport([run('a', steps), run('b', steps)]).filter(({ id }) => id === 'metrics').length,
    2,
  );
});

test('a row that did other work than the base is not compared, and what each row did is said', () => {
  const one = step('l.i0', { ips: 100 });
  const tables = buildReport([
    run('a', [one]),
    run('b', [step('l.i0', { ips: 41 })], { workload: 'big', clients: 4 }),
    run('c', [step('l.i0', { ips: 90 })]),
  ]);
  const relative = findTable(tables, 'relative');
  assert.deepEqual(
    relative.rows.map(({ cells }) => cells.map(({ text }) => text)),
    [
      ['a', '1.00'],
      ['c', '0.90'],
    ],
  );
  assert.match(relative.footnotes.join(), /b: not compared, its workload or clients are others/);
  assert.match(findTable(tables, 'summary').footnotes.join('; '), /b: workload big, 4 clients/);
});

test('the base is the first row of every table, the others follow in the order given', () => {
  const made = (tag: string, ips: number) =>
    run(
      tag,
      [
        step('l.i0', { ips }, { warnings: ['steal'] }),
        step('qr100', { ips, qps: ips, target_ips: 100 }),
      ],
      { warnings: [`of ${tag}`] },
    );
  const runs = [made('c', 50), made('a', 70), made('b', 100)];
  const differences = [
    {
      area: 'setting',
      name: 'work_mem',
      kind: 'axis',
      byRun: new Map(runs.map(({ runId, tag }) => [runId, { value: tag, number: null }])),
    },
  ] as unknown as Comparability['differences'];
  const tables = buildReport(runs, {
    base: 'b',
    tables: 'all',
    comparability: { runs, axes: [], differences },
  });
  const tagged = tables.filter(({ columns }) => columns.some(({ key }) => key === 'tag'));
  assert.ok(tagged.length > 8, tagged.map(({ id }) => id).join());
  for (const { id, step, columns, rows } of tagged) {
    const at = columns.findIndex(({ key }) => key === 'tag');
    const tags = [...new Set(rows.map(({ cells }) => cells[at]!.value))];
    const expected = id === 'settings' ? ['c', 'a'] : ['b', 'c', 'a'];
    assert.deepEqual(tags, expected, `${id} ${step}`);
  }
  const [values] = findTable(tables, 'comparability').rows;
  assert.equal(values!.cells.at(-1)!.text, 'b in b, c in c, a in a');
});
