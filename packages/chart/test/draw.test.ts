import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChartSpec,
  drawChart,
  drawStandalone,
  formatClock,
  formatValue,
  type TimeChart,
  type View,
} from '../src/index.ts';

const VIEW: View = { width: 900, hidden: new Set(), overlay: false, range: null };
const EVIL = `a"><script>alert(1)</script>'&\u0000`;

function timeChart(more: Partial<TimeChart<{ x: number[]; y: number[] }>> = {}): ChartSpec {
  const points = { x: [0, 1, 2, 3], y: [10, 20, 5, 20] };
  const row = (row: number, label: string) => ({
    row,
    label,
    notes: [`avg ${row}`],
    dots: points,
    line: points,
    server: null,
  });
  return {
    kind: 'time',
    id: 'insert-rate',
    title: 'Rows per second',
    description: 'all of them',
    unit: 'rate',
    scale: 'linear',
    seconds: 4,
    target: null,
    rows: [row(0, 'base'), row(1, 'other'), row(2, EVIL)],
    ...more,
  };
}

const CHARTS: readonly ChartSpec[] = [
  timeChart({ target: 15 }),
  timeChart({ scale: 'log', unit: 'time-us' }),
  {
    kind: 'stack',
    id: 'cpu',
    title: EVIL,
    description: EVIL,
    unit: 'percent',
    seconds: 4,
    top: null,
    limit: { value: 4, label: EVIL },
    layers: [EVIL, 'b'],
    rows: [
      {
        row: 0,
        label: EVIL,
        notes: [EVIL],
        layers: [
          { x: [0, 1], y: [1, 2] },
          { x: [0, 1], y: [3, Number.NaN] },
        ],
      },
    ],
  },
  {
    kind: 'curve',
    id: 'curve',
    title: EVIL,
    description: EVIL,
    unit: 'time-us',
    rows: [{ row: 1, label: EVIL, notes: [EVIL], line: { x: [0, 1, 2.5], y: [100, 200, 90_000] } }],
  },
  {
    kind: 'bar',
    id: 'bar',
    title: EVIL,
    description: EVIL,
    unit: 'us-per-op',
    layers: ['a', EVIL],
    rows: [{ row: 1, label: EVIL, notes: [EVIL], values: [1, null] }],
  },
  {
    kind: 'dot',
    id: 'dot',
    title: EVIL,
    description: EVIL,
    unit: 'rate',
    rows: [{ row: 3, label: EVIL, notes: [EVIL], values: [5, 9, 7] }],
  },
  {
    kind: 'border',
    id: 'border',
    title: EVIL,
    description: EVIL,
    unit: 'mb',
    steps: [EVIL, 'b'],
    rows: [
      {
        row: 2,
        label: EVIL,
        notes: [EVIL],
        steps: [
          [0, null],
          [3, 4],
        ],
      },
    ],
  },
  {
    kind: 'forest',
    id: 'forest',
    title: EVIL,
    description: EVIL,
    band: [0.95, 1.05],
    groups: [EVIL, 'b'],
    rows: [
      {
        row: 3,
        label: EVIL,
        notes: [EVIL],
        estimates: [
          { group: 0, ratio: 1.2, spread: [0, 2], repeats: [0, 2], fill: 'hatched', text: EVIL },
        ],
      },
    ],
  },
];

test('every kind of chart is well-formed, wide and narrow, and holds no markup of a tag', () => {
  for (const chart of CHARTS) {
    for (const width of [320, 900]) {
      for (const overlay of [false, true]) {
        const svg = drawChart(chart, { ...VIEW, width, overlay });
        assertWellFormed(svg);
        assert.doesNotMatch(svg, /<script|NaN|undefined/);
        assert.ok(!svg.includes('\u0000'));
        assert.match(svg, /role="img"/);
      }
    }
  }
});

test('charts without rows, without values and with one value are drawn', () => {
  const nothing = { x: [], y: [] };
  const one = { x: [0], y: [0] };
  for (const points of [nothing, one]) {
    for (const scale of ['linear', 'log'] as const) {
      const rows = [{ row: 0, label: 'a', notes: [], dots: points, line: points, server: null }];
      const svg = drawChart(timeChart({ rows, scale, seconds: 0 }), VIEW);
      assertWellFormed(svg);
      assert.doesNotMatch(svg, /NaN|Infinity/);
    }
  }
  assertWellFormed(drawChart(timeChart({ rows: [] }), VIEW));
  for (const chart of CHARTS)
    assertWellFormed(drawChart({ ...chart, rows: [] } as ChartSpec, VIEW));
});

test('a stack of one sample is a bar at its second, not nothing beside its figures', () => {
  const texts = { title: 't', description: 'd', unit: 'count', layers: ['CPU'] } as const;
  for (const [second, seconds] of [
    [1, 2],
    [600, 3600],
  ] as const) {
    const layers = [{ x: [second], y: [1] }];
    const rows = [{ row: 0, label: 'a', notes: ['avg 1.00'], layers }];
    const range = { top: null, limit: null, seconds };
    const svg = drawChart({ kind: 'stack', id: 'waits', ...texts, ...range, rows }, VIEW);
    assertWellFormed(svg);
    const [, x, width] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*class="plot"/.exec(
      svg,
    )!;
    const [, d] = /<path class="a0" d="([^"]*)"/.exec(svg)!;
    const places = [...d!.matchAll(/[ML]([\d.]+),/g)].map(([, at]) => Number(at));
    const [from, to] = [Math.min(...places), Math.max(...places)];
    assert.ok(to - from >= 5, `${to - from} pixels wide`);
    const middle = Number(x) + (Number(width) * second) / seconds;
    assert.ok(Math.abs((from + to) / 2 - middle) < 0.2, `${from} to ${to}, not around ${middle}`);
  }
});

test('a segment below zero, as a remainder can be, is drawn as nothing, wherever it is', () => {
  const bars = (...values: (number | null)[]): string => {
    const layers = values.map((_, i) => `layer ${i}`);
    const rows = [
      { row: 0, label: 'a', notes: [], values },
      { row: 1, label: 'b', notes: [], values: [1, 2, 3] },
    ];
    const texts = { title: 't', description: 'd', unit: 'us-per-op' } as const;
    return drawChart({ kind: 'bar', id: 'cpu-split', ...texts, layers, rows }, VIEW);
  };
  assert.equal(bars(3, 5, -2.9), bars(3, 5, 0));
  assert.equal(bars(-2.9, 3, 5), bars(0, 3, 5));
  assert.equal(bars(3, -100, 5), bars(3, 0, 5));
  assert.equal(bars(-1, -1, -1), bars(0, 0, 0));
  assert.notEqual(bars(3, 5, 2.9), bars(3, 5, 0));
});

test('hidden rows are not drawn; the base is a ghost in the panels of the others', () => {
  const svg = drawChart(timeChart(), { ...VIEW, hidden: new Set([2]) });
  assert.equal(svg.match(/class="dots"/g)!.length, 2);
  assert.equal(svg.match(/class="k0 ghost"/g)!.length, 1);
  assert.doesNotMatch(svg, /class="k2"/);
});

test('all panels share one scale, and one pixel is drawn once', () => {
  const flat = { x: [0, 1, 1], y: [10, 10, 10] };
  const high = { x: [0, 1], y: [1000, 1000] };
  const rows = [flat, high].map((dots, row) => ({
    row,
    label: `r${row}`,
    notes: [],
    dots,
    line: dots,
    server: null,
  }));
  const svg = drawChart(timeChart({ rows }), VIEW);
  const dots = [...svg.matchAll(/class="dots" d="([^"]*)"/g)].map(
    ([, d]) => d!.match(/M/g)!.length,
  );
  assert.deepEqual(dots, [2, 2]);
  assert.equal(svg.match(/>1000</g)!.length, 2);
});

test('checkpoints are bands behind the dots, vacuums bars at the bottom, at their seconds and cut off by the range', () => {
  const points = { x: [0, 100], y: [10, 10] };
  const server = { checkpoints: [[20, 60]], vacuums: [[70, 71]] } as const;
  const row = { row: 0, label: 'a', notes: [], dots: points, line: points, server };
  const chart = timeChart({ rows: [row], seconds: 100 });
  const svg = drawChart(chart, VIEW);
  assertWellFormed(svg);
  const [, left, width] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*class="plot"/.exec(
    svg,
  )!;
  const place = (name: string): { x: number; width: number } => {
    const [, x, wide] = new RegExp(
      `class="${name}" x="([\\d.]+)" y="[\\d.]+" width="([\\d.]+)"`,
    ).exec(svg)!;
    return { x: (Number(x) - Number(left)) / Number(width), width: Number(wide) / Number(width) };
  };
  const [band, bar] = [place('checkpoint'), place('vacuum')];
  assert.deepEqual(
    [band.x, band.width, bar.x, bar.width].map((share) => Math.round(100 * share)),
    [20, 40, 70, 1],
  );
  assert.ok(svg.indexOf('"checkpoint"') < svg.indexOf('class="dots"'), 'a band hides dots');
  assert.match(svg, />checkpoint<.*>vacuum</);
  const overlay = drawChart(chart, { ...VIEW, overlay: true });
  assert.doesNotMatch(overlay, /checkpoint|vacuum/);
  const nothing = { checkpoints: [], vacuums: [] };
  const idle = timeChart({ rows: [{ ...row, server: nothing }], seconds: 100 });
  assert.doesNotMatch(drawChart(idle, VIEW), /checkpoint|vacuum/);
});

test('a range shows its seconds only', () => {
  const svg = drawChart(timeChart(), { ...VIEW, range: [1, 2] });
  const [, dots] = /class="dots" d="([^"]*)"/.exec(svg)!;
  assert.equal(dots!.match(/M/g)!.length, 2);
});

test('a file of one chart has its colours in it, literal unless they are to follow the reader', () => {
  const light = drawStandalone(timeChart(), VIEW, 'light');
  assertWellFormed(light);
  assert.doesNotMatch(light, /var\(/);
  assert.match(light, /Rows per second/);
  assert.match(drawStandalone(timeChart(), VIEW, 'auto'), /prefers-color-scheme/);
});

test('values are written with their unit', () => {
  assert.deepEqual(
    [
      formatValue('rate', 69_526.4),
      formatValue('time-us', 3970),
      formatValue('time-us', 1_250_000),
      formatValue('time-ms', 1.25),
      formatValue('percent', 12.345),
      formatValue('mb-rate', 125.2),
      formatValue('mb', 125.2),
      formatValue('count', Number.NaN),
      formatClock(42),
      formatClock(3661),
    ],
    [
      '69,526/s',
      '3.97 ms',
      '1.25 s',
      '1.25 ms',
      '12.3%',
      '125 MB/s',
      '125 MB',
      'none',
      '0:42',
      '1:01:01',
    ],
  );
});

/** Tags nest, and no text or attribute holds a bare `<` or `&`. */
function assertWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [tag, end, name, rest] of svg.matchAll(
    /<(\/?)([a-zA-Z]+)((?:\s[\w:-]+="[^"<]*")*\s*\/?)>/g,
  )) {
    if (end === '/') assert.equal(open.pop(), name, tag);
    else if (!rest!.endsWith('/')) open.push(name!);
  }
  assert.deepEqual(open, []);
  const text = svg
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<\/?[a-zA-Z]+(?:\s[\w:-]+="[^"<]*")*\s*\/?>/g, '');
  assert.doesNotMatch(text, /[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
}
