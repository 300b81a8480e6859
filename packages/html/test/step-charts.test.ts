import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord, StatementSeries, StepSeries } from '@ibench/core';
import { groupRuns } from '@ibench/report';
import { stepCharts } from '../src/charts/catalogue.ts';
import { forestChart } from '../src/charts/forest-chart.ts';
import { stepRows } from '../src/rows.ts';
import { oneStepRun } from './one-step-run.ts';

const LIMITS = { statement: 100, os: 100 };

/** What is written beside each row of the chart of inserts, which counted so many in each second. */
function gutters(runs: readonly RunRecord[], counts: readonly number[]): readonly string[][] {
  const series: StatementSeries = {
    kind: 'insert',
    seconds: counts.map((_, i) => i),
    ops: counts,
    rows: counts,
    maxUs: counts.map(() => 100),
  };
  const rows = stepRows(groupRuns(runs), 'l.i1', {
    series: () => ({ ...EMPTY, statements: [series] }),
    histograms: () => [],
    provenance: () => undefined,
    profiles: () => [],
  });
  const chart = stepCharts('l.i1', rows, LIMITS).seconds.find(({ id }) => id === 'insert-rate');
  return chart!.rows.map(({ notes }) => [...notes]);
}

const TIMED = { seconds: [], ms: [] };

const EMPTY = {
  statements: [],
  os: {
    seconds: [],
    columns: new Proxy({}, { get: () => [] }),
  },
  waits: { seconds: [], active: new Map() },
  server: {
    planning: TIMED,
    resync: TIMED,
    checkpointing: [],
    vacuuming: [],
    checkpointed: [],
    vacuumed: [],
    cpu: { seconds: [], values: new Map() },
  },
} as unknown as StepSeries;

test('the ratio to the base is left out for a row that did other work', () => {
  const same = oneStepRun('b', 50);
  const other = oneStepRun('c', 50, { workload: 'large' });
  const notes = gutters([oneStepRun('a', 100), same, other], [9, 8, 7]);
  assert.deepEqual(notes, [
    ['avg 100/s', 'min 7/s'],
    ['avg 50/s (0.50×)', 'min 7/s'],
    ['avg 50/s', 'min 7/s'],
  ]);
});

test('the least second is a whole one: a step that has none has no least', () => {
  assert.deepEqual(gutters([oneStepRun('a', 100, {}, 2.5)], [9, 8, 1]), [['avg 100/s', 'min 8/s']]);
  assert.deepEqual(gutters([oneStepRun('a', 100, {}, 0.5)], [9]), [['avg 100/s']]);
});

test('of several repeats it is said which is drawn', () => {
  const repeats = (...rates: number[]) =>
    rates.map((ips, i) => oneStepRun('a', ips, { repeat: i + 1 }));
  assert.equal(gutters(repeats(10, 30, 20), [1, 1, 1])[0]!.at(-1), 'repeat 3, median of 3');
  assert.equal(gutters(repeats(40, 10, 30, 20), [1, 1, 1])[0]!.at(-1), 'repeat 4, low median of 4');
  const broken = { ...oneStepRun('a', 10, { repeat: 2, status: 'failed' }), steps: [] };
  assert.equal(
    gutters([oneStepRun('a', 10), broken], [1, 1, 1])[0]!.at(-1),
    'repeat 1, the one done',
  );
});

test('the forest plot explains the mark of what is not told from noise, where it has it', () => {
  const repeats = (tag: string, ...rates: number[]) =>
    rates.map((ips, i) => oneStepRun(tag, ips, { repeat: i + 1 }));
  const base = repeats('a', 70, 95, 105, 140);
  const drawn = (...other: number[]) =>
    forestChart(groupRuns([...base, ...repeats('b', ...other)]), ['l.i1'])!;
  const unsure = drawn(100, 110, 120, 130);
  assert.match(unsure.title, /not told from noise \(hollow, ~\)/);
  assert.equal(unsure.rows[1]!.estimates[0]!.text, '~ 1.15 [1.00, 1.30]');
  assert.equal(unsure.rows[1]!.estimates[0]!.fill, 'hollow');
  const told = drawn(200, 210, 220, 230);
  assert.doesNotMatch(told.title, /noise/);
  assert.equal(told.rows[1]!.estimates[0]!.fill, 'full');
  const few = drawn(200, 210);
  assert.match(few.title, /too few repeats to tell from noise \(hatched\)/);
  assert.equal(few.rows[1]!.estimates[0]!.fill, 'hatched');
  assert.equal(drawn(60, 200).rows[1]!.estimates[0]!.fill, 'hollow');
});

test('a second has its place in all charts: the areas of the CPU lie where the dots of the same samples do', () => {
  const seconds = [1, 2, 3];
  const columns = new Proxy({}, { get: () => [10, 20, 30] });
  const cpu = { seconds, values: new Map([['insert', [1, 1, 1]]]) };
  const series = {
    ...EMPTY,
    os: { seconds, columns },
    waits: { seconds, active: new Map([['CPU', [1, 1, 1]]]) },
    server: { ...EMPTY.server, cpu },
  } as unknown as StepSeries;
  const rows = stepRows(groupRuns([oneStepRun('a', 100)]), 'l.i1', {
    series: () => series,
    histograms: () => [],
    provenance: () => undefined,
    profiles: () => [],
  });
  const { os, server } = stepCharts('l.i1', rows, LIMITS);
  const places = [...os, ...server].flatMap((chart) => {
    if (chart.kind === 'stack') return chart.rows[0]!.layers.map(({ points }) => points.x);
    return chart.kind === 'time' && chart.id.startsWith('os-')
      ? [chart.rows[0]!.dots.points.x, chart.rows[0]!.line.points.x]
      : [];
  });
  assert.ok(places.length > 20);
  for (const place of places) assert.deepEqual(Array.from(place), seconds);
});
