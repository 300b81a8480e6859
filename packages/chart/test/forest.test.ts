import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart, type ForestChart, type View } from '../src/index.ts';

const VIEW: View = { width: 900, hidden: new Set(), overlay: false, range: null };

type Given = Partial<ForestChart['rows'][number]['estimates'][number]>;

function estimate(
  ratio: number,
  more: Given = {},
): ForestChart['rows'][number]['estimates'][number] {
  return { group: 0, ratio, spread: null, repeats: [], fill: 'full', text: '', ...more };
}

function forest(rows: readonly (readonly Given[])[]): ForestChart {
  return {
    kind: 'forest',
    id: 'relative',
    title: 'relative',
    description: '',
    band: [0.95, 1.05],
    groups: ['l.i0', 'l.i1'],
    rows: rows.map((estimates, i) => ({
      row: i + 1,
      label: `row ${i + 1}`,
      notes: [],
      estimates: estimates.map(({ ratio = 1, ...more }) => estimate(ratio, more)),
    })),
  };
}

interface Square {
  readonly x: number;
  readonly y: number;
}

/** Middles of the squares, in the order in which they are drawn. */
function squares(svg: string): Square[] {
  return [...svg.matchAll(/<rect class="marker" x="([\d.-]+)" y="([\d.-]+)"/g)].map(([, x, y]) => ({
    x: Number(x) + 3.5,
    y: Number(y) + 3.5,
  }));
}

test('half and twice as fast are as far from 1, and the band lies around 1', () => {
  const svg = drawChart(forest([[{ ratio: 0.5 }, { ratio: 2, group: 1 }]]), VIEW);
  const [half, twice] = squares(svg) as [Square, Square];
  const one = Number(/class="unity" d="M([\d.]+) /.exec(svg)![1]);
  assert.ok(Math.abs(one - half.x - (twice.x - one)) < 2, `${half.x} ${one} ${twice.x}`);
  assert.ok(twice.y > half.y, 'the steps are below each other');
  const [, x, width] = /class="band" x="([\d.]+)" y="0" width="([\d.]+)"/.exec(svg)!;
  const perLog = (twice.x - half.x) / Math.log(4);
  assert.ok(Math.abs(Number(x) - (one + perLog * Math.log(0.95))) < 1);
  assert.ok(Math.abs(Number(width) - perLog * Math.log(1.05 / 0.95)) < 0.1);
});

test('the bar reaches from the least to the largest repeat, each of which is a dot', () => {
  const repeats = [1.2, 1.1, 1.3];
  const svg = drawChart(forest([[{ ratio: 1.2, repeats, spread: [1.1, 1.3] }]]), VIEW);
  const [, dots] = /class="dots" d="([^"]*)"/.exec(svg)!;
  const places = [...dots!.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x));
  const [, from, to] = /class="line" d="M([\d.]+) [\d.]+H([\d.]+)"/.exec(svg)!;
  assert.equal(places.length, 3);
  assert.deepEqual([Number(from), Number(to)], [Math.min(...places), Math.max(...places)]);
  assert.ok(Math.abs(squares(svg)[0]!.x - places[0]!) < 0.01);
});

test('one repeat is a square alone; a ratio in doubt is hollow or hatched', () => {
  const svg = drawChart(forest([[{ ratio: 1.2, fill: 'hollow' }]]), VIEW);
  assert.doesNotMatch(svg, /class="(line|dots)"/);
  assert.match(svg, /class="marker"[^>]*style="fill:none"/);
  assert.doesNotMatch(svg, /class="hatching"/);
  const hatched = drawChart(
    forest([
      [
        { ratio: 1.2, fill: 'hatched' },
        { ratio: 1, group: 1 },
      ],
    ]),
    VIEW,
  );
  assert.equal(hatched.match(/class="hatching"/g)!.length, 1);
});

test('rows of a step are next to each other, hidden ones leave no gap, a step without any has no line', () => {
  const spec = forest([[{}, { group: 1 }], [{}, {}], [{ group: 1 }]]);
  const shown = squares(drawChart(spec, { ...VIEW, hidden: new Set([2]) }));
  assert.deepEqual(
    shown.map(({ y }) => y),
    [14.5, 43.5, 63.5],
  );
  const one = drawChart(spec, { ...VIEW, hidden: new Set([1, 3]) });
  assert.doesNotMatch(one, />l\.i1</);
  assert.match(one, />l\.i0</);
});

test('ticks stay few however far the ratios are apart', () => {
  for (const [low, high] of [
    [0.99, 1.01],
    [0.5, 1.1],
    [0.001, 900],
    [0, 2],
  ] as const) {
    const svg = drawChart(forest([[{ ratio: low }, { ratio: high }]]), VIEW);
    const ticks = svg.match(/class="grid"/g)!.length;
    assert.ok(ticks >= 3 && ticks <= 11, `${ticks} ticks from ${low} to ${high}`);
  }
});
