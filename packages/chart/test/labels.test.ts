import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChartSpec, distinctLabels, drawChart, type View } from '../src/index.ts';

const VIEW: View = { width: 900, hidden: new Set(), overlay: false, range: null };

const PREFIX = 'pg18.4-o3-native.x10b_c32r128_';
/** Tags that differ at the end, in the middle, in two places, and by what looks like a cut. */
const ALIKE: readonly (readonly string[])[] = [
  ['a', 'b', 'much-longer'].map((end) => `${PREFIX}${end}`),
  ['9.6', '10', '18.4'].map((version) => `${PREFIX}${version}.${PREFIX}`),
  ['1', '2', '3'].flatMap((a) => ['1', '2'].map((b) => `${PREFIX}${a}${PREFIX}${b}${PREFIX}`)),
  ['pg18.4-o3-nativ…0b_c32r128_a', `${PREFIX}a`, `${PREFIX}a…2`, 'pg18', 'pg18.a'],
  Array.from({ length: 40 }, (_, i) => `${PREFIX}${i % 5}${PREFIX}${i}${PREFIX}`),
];

test('labels that are cut stay different, no longer than asked for, and those that fit are whole', () => {
  for (const labels of ALIKE) {
    for (const length of [8, 13, 20, 28, 200]) {
      const texts = labels.map((label) => distinctLabels(labels, length).get(label)!);
      assert.equal(new Set(texts).size, labels.length, `${length}: ${texts.join(' ')}`);
      for (const [i, text] of texts.entries()) {
        assert.ok([...text].length <= length, `${text} is longer than ${length}`);
        if ([...labels[i]!].length <= length) assert.equal(text, labels[i]);
      }
    }
  }
});

test('what is cut out is the middle, or what labels that would look the same begin with', () => {
  const texts = (...labels: string[]) => [...distinctLabels(labels, 15).values()];
  assert.deepEqual(texts(`${PREFIX}a`, 'stalls'), ['pg18.4-…2r128_a', 'stalls']);
  assert.deepEqual(texts('common-start-1-common-end', 'common-start-2-common-end'), [
    'comm…1-com…-end',
    'comm…2-com…-end',
  ]);
});

const TAGS = [`${PREFIX}a`, `${PREFIX}b`];
const NOTE = 'avg 97,626/s (0.77×)';
const POINTS = { x: [0, 1], y: [3, 4] };

/** A chart of each kind with these rows. */
function charts(): ChartSpec[] {
  const rows = TAGS.map((label, row) => ({ row, label, notes: [NOTE, 'min 1/s'] }));
  const texts = { id: 'x', title: 'title', description: '' };
  const estimate = { ratio: 0.75, spread: [0.7, 0.8], repeats: [], fill: 'full' } as const;
  const each = <T extends object>(more: T) => rows.map((row) => ({ ...row, ...more }));
  return [
    {
      ...texts,
      kind: 'time',
      unit: 'rate',
      scale: 'linear',
      seconds: 2,
      target: null,
      rows: each({ dots: POINTS, line: POINTS, server: null }),
    },
    {
      ...texts,
      kind: 'stack',
      unit: 'count',
      seconds: 2,
      top: null,
      limit: null,
      layers: ['CPU'],
      rows: each({ layers: [POINTS] }),
    },
    { ...texts, kind: 'curve', unit: 'time-us', rows: each({ line: POINTS }) },
    { ...texts, kind: 'bar', unit: 'us-per-op', layers: ['a'], rows: each({ values: [1] }) },
    { ...texts, kind: 'dot', unit: 'rate', rows: each({ values: [1, 2] }) },
    { ...texts, kind: 'border', unit: 'mb', steps: ['l.i0'], rows: each({ steps: [[1, 2]] }) },
    {
      ...texts,
      kind: 'forest',
      band: [0.95, 1.05],
      groups: ['l.i0'],
      rows: each({ estimates: [{ ...estimate, group: 0, text: NOTE }] }),
    },
  ] as ChartSpec[];
}

test('in every kind of chart, wide or narrow, two tags look different, are whole in a title, and keep their figures', () => {
  for (const chart of charts()) {
    for (const width of [330, 900]) {
      for (const overlay of [false, true]) {
        const svg = drawChart(chart, { ...VIEW, width, overlay });
        const of = `${chart.kind}, ${width} px`;
        const labels = [...svg.matchAll(/class="label"[^>]*>([^<]*)</g)].map(([, text]) => text!);
        assert.equal(labels.length, 2, of);
        assert.equal(new Set(labels).size, 2, `${of}: ${labels.join(' ')}`);
        for (const tag of TAGS) assert.ok(svg.includes(`<title>${tag}</title>`), of);
        assert.equal(svg.split(`>${NOTE}`).length - 1, 2, `${of}: the figures are cut`);
      }
    }
  }
});

test('a row has the same name whether others are hidden or not', () => {
  for (const chart of charts()) {
    const all = drawChart(chart, VIEW);
    const alone = drawChart(chart, { ...VIEW, hidden: new Set([0]) });
    const [, name] = /class="label"[^>]*>([^<]*_b)</.exec(alone)!;
    assert.ok(all.includes(`>${name}<`), chart.kind);
  }
});
