import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BorderChart, drawChart, type View } from '../src/index.ts';

const VIEW: View = { width: 900, hidden: new Set(), overlay: false, range: null };

function chart(rows: readonly BorderChart['rows'][number]['steps'][]): BorderChart {
  return {
    kind: 'border',
    id: 'debt-dead-share',
    title: 'dead',
    description: '',
    unit: 'percent',
    steps: ['l.i0', 'l.i1', 'l.i2'],
    rows: rows.map((steps, row) => ({ row, label: `row ${row}`, notes: [], steps })),
  };
}

/** Where the markers of the values are; those of the labels are smaller. */
function markers(svg: string): { readonly x: number; readonly y: number }[] {
  const plot = svg.slice(0, svg.indexOf('class="label"'));
  return [...plot.matchAll(/class="marker"[^>]*translate\(([\d.]+) ([\d.]+)\)/g)]
    .map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
    .slice(0, -1);
}

test('each border of a step has its place: steps from left to right, zero at the bottom', () => {
  const svg = drawChart(
    chart([
      [
        [0, 10],
        [12, 40],
        [40, 20],
      ],
    ]),
    VIEW,
  );
  const found = markers(svg);
  assert.equal(found.length, 6);
  const xs = found.map(({ x }) => x);
  assert.deepEqual(
    xs,
    xs.toSorted((a, b) => a - b),
  );
  const [zero, ten, twelve, forty, again] = found.map(({ y }) => y) as [
    number,
    number,
    number,
    number,
    number,
  ];
  assert.ok(Math.abs((zero - ten) * 4 - (zero - forty)) < 0.1, 'the axis is linear from zero');
  assert.ok(twelve < ten);
  assert.equal(again, forty);
});

test('the line within a step is solid, that between two steps faint; what is not known has none', () => {
  const within = /class="line" d="[^"]*"( stroke-dasharray="[^"]*")?\/>/g;
  const between = /class="line" d="[^"]*" style="[^"]*opacity/g;
  const whole = drawChart(
    chart([
      [
        [0, 10],
        [10, 30],
        [30, 20],
      ],
    ]),
    VIEW,
  );
  assert.deepEqual([whole.match(within)!.length, whole.match(between)!.length], [3, 2]);
  const gaps = drawChart(
    chart([
      [
        [null, null],
        [10, null],
        [null, 20],
      ],
    ]),
    VIEW,
  );
  assert.deepEqual([gaps.match(within), gaps.match(between)!.length], [null, 1]);
  assert.equal(markers(gaps).length, 2);
});

test('all rows share one scale, and a hidden one does not stretch it', () => {
  const rows: BorderChart['rows'][number]['steps'][] = [
    [
      [10, 10],
      [10, 10],
      [10, 10],
    ],
    [
      [1000, 1000],
      [1000, 1000],
      [1000, 1000],
    ],
  ];
  assert.match(drawChart(chart(rows), VIEW), />1000%</);
  assert.doesNotMatch(drawChart(chart(rows), { ...VIEW, hidden: new Set([1]) }), />1000%</);
});

test('names of narrow columns are upright', () => {
  const rows: BorderChart['rows'][number]['steps'][] = [[[0, 1]]];
  assert.doesNotMatch(drawChart(chart(rows), VIEW), /rotate/);
  assert.equal(drawChart(chart(rows), { ...VIEW, width: 190 }).match(/rotate\(-90/g)!.length, 3);
});
