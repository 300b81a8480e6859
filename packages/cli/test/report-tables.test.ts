import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DECIMAL_NAMES } from '@ibench/core';
import { type Cell, cellText, type Table } from '@ibench/report';
import { generateStore } from './generated-store.ts';
import { type PageCell, type PageTable, pageTables } from './page-tables.ts';
import { publishedStore, readFixture } from './published-store.ts';
import { suiteDirectory } from './suite-directory.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const directory = suiteDirectory();
const PUBLISHED = `${directory}/published.sqlite`;
const GENERATED = `${directory}/generated.sqlite`;
let publishedPage: PageTable[];
let generatedPage: string;

before(() => {
  publishedStore(PUBLISHED);
  generateStore(GENERATED, {
    steps: ['l.i0', 'l.x', 'l.i1', 'settle', 'qr100'],
    seconds: 12,
    runs: [
      { tag: 'pg17.a', clients: 2 },
      { tag: 'pg17.a', clients: 2, speed: 0.98 },
      { tag: 'pg18.a', clients: 2, speed: 1.2, devices: false },
      {
        tag: '<script>x</script>',
        clients: 2,
        speed: 0.7,
        ends: { step: 'qr100', status: 'failed' },
      },
    ],
  });
  generatedPage = ibench('report', '--db', GENERATED, '--out', '-');
  publishedPage = pageTables(ibench('report', '--db', PUBLISHED, '--out', '-'));
});

test('the summary and relative tables of a page are the published ones', () => {
  for (const name of ['summary', 'relative']) {
    const published = readFixture(`report/test/fixtures/seed003_${name}.csv`);
    assert.deepEqual(
      tableOf(`t-${name}`).rows.map((row) =>
        row.slice(0, name === 'relative' ? -2 : undefined).map(({ text }) => number(text)),
      ),
      published.map(({ dbms, ...columns }) =>
        name === 'summary'
          ? [dbms, '1', ...Object.values(columns)]
          : [dbms, ...Object.values(columns)],
      ),
    );
  }
});

test('cells of the summary have the published colours', () => {
  const { head, rows } = tableOf('t-summary');
  const published = readFixture('core/test/fixtures/golden/seed003_summary_colors_by_rule.csv');
  const names: Record<string, string> = { cmax: 'good', cmin: 'bad' };
  for (const { step, dbms, color_by_rule_not_in_seed_text: color } of published) {
    const row = rows.find(([tag]) => tag!.text === dbms)!;
    const { classes } = row[head.indexOf(step!)]!;
    const marks = classes.filter((name) => name === 'good' || name === 'bad');
    assert.deepEqual(marks, names[color!] === undefined ? [] : [names[color!]], `${step} ${dbms}`);
  }
  assert.equal(published.length, 12);
});

test('the SLA table has the published rates and targets', () => {
  const { head, rows } = tableOf('t-sla');
  for (const { dbms, step, measured_ips, target_ips } of readFixture(
    'report/test/fixtures/seed003_sla.csv',
  )) {
    const row = rows.find(([tag]) => tag!.text === `20m.${dbms}`)!;
    assert.match(row[head.indexOf(step!)]!.text, new RegExp(`^${measured_ips} of ${target_ips} `));
  }
});

test('histograms and metrics of a page are the published ones', () => {
  const histograms = readFixture('report/test/fixtures/seed003_histograms.csv');
  for (const row of histograms) {
    const { head, rows } = tableOf(`${row.step}/t-histogram`);
    const dbms = `20m.${row.dbms}`;
    const kinds = rows.filter((cells) => cells[2]!.text === dbms);
    const order = [
      ...new Set(histograms.filter((one) => one.step === row.step).map(({ kind }) => kind!)),
    ];
    const sorted = ['insert', 'delete', 'query'].filter((kind) => order.includes(kind));
    const cells = kinds[sorted.indexOf(row.kind!)]!;
    assert.deepEqual(
      DECIMAL_NAMES.map((name) => cells[head.indexOf(name)]!.text),
      DECIMAL_NAMES.map((name) => (row[name] === '0.000' ? '' : row[name])),
    );
  }
  for (const { step, rate_basis: _, ncores: __, seed_line: ___, rps, ...columns } of readFixture(
    'report/test/fixtures/seed003_metrics.csv',
  )) {
    const { head, rows } = tableOf(`${step}/t-metrics`);
    const row = rows.find((cells) => cells[head.indexOf('tag')]!.text === columns.tag)!;
    assert.deepEqual(
      Object.keys(columns).map((name) => row[head.indexOf(name)]!.text),
      Object.values(columns),
    );
    assert.equal(Number(row[head.indexOf('rps')]!.value), Number(rps));
  }
});

test('the numbers are the same in text, markdown, CSV, JSON and HTML', () => {
  const [json, csv, text, markdown] = ['json', 'csv', 'text', 'md'].map((format) =>
    ibench('table', '--db', GENERATED, '--format', format),
  ) as [string, string, string, string];
  const page = pageTables(generatedPage);
  const tables = JSON.parse(json) as JsonTable[];
  assert.ok(tables.length > 15, `${tables.length} tables`);
  for (const table of tables) {
    const id = table.step === null ? `t-${table.id}` : `${table.step}/t-${table.id}`;
    const found = page.find((one) => one.id === id);
    assert.ok(found, `no table ${id} in the page`);
    const columns = table.columns.filter(({ dataOnly }) => !dataOnly);
    const shown = tagBack(
      found,
      columns.findIndex(({ key }) => key === 'tag'),
    );
    assert.deepEqual(shown.head, table.rows.length === 0 ? [] : columns.map(({ label }) => label));
    assert.equal(shown.rows.length, table.rows.length);
    for (const [i, { values }] of table.rows.entries()) {
      for (const [j, { key }] of columns.entries()) {
        const cell: PageCell = shown.rows[i]![j]!;
        const value = values[key];
        if (typeof value === 'number') assert.equal(Number(cell.value), value, `${id} ${key}`);
        else assert.equal(cell.value, null, `${id} ${key}: ${cell.value}`);
      }
      const texts = shown.rows[i]!.map((cell) => cell.text.trim().replace(/\s+/g, ' ')).filter(
        Boolean,
      );
      const line = texts.join(' ');
      assert.ok(squeezed(text).includes(line), `text has no line "${line}"`);
      assert.ok(squeezed(markdown).includes(line), `markdown has no line "${line}"`);
      for (const value of Object.values(values)) {
        if (typeof value === 'number')
          assert.ok(csv.includes(String(value)), `csv has no ${value}`);
      }
    }
  }
});

test('the settings open with what each tag has that the base has not', () => {
  const found = pageTables(generatedPage.split('id="environment"')[1]!);
  assert.deepEqual(
    found.map(({ id, rows }) => [id, rows[0]!.map(({ text }) => text)]),
    [['t-settings', ['pg18.a', 'comes with it', 'build', 'version', 'pg18', 'pg17']]],
  );
  assert.equal(generatedPage.split('id="t-settings"').length, 2);
});

test('a tag of markup is text everywhere: in tables, chart data and drawings', () => {
  assert.doesNotMatch(generatedPage, /<script>x/);
  assert.match(generatedPage, /&lt;script&gt;x&lt;\/script&gt;/);
  const svg = ibench('chart', '--db', GENERATED, '--step', 'l.i0', '--chart', 'insert-rate');
  assert.match(svg, /^<svg [^>]*>.*&lt;script&gt;x.*<\/svg>\n$/s);
  assert.doesNotMatch(svg, /<script/);
});

test('a failed step is named on top and has no number; a run without iostat has no device chart', () => {
  const [warnings] = pageTables(generatedPage).filter(({ id }) => id === 't-warnings');
  assert.match(
    warnings!.rows[0]!.map(({ text }) => text).join(' '),
    /failed.*qr100.*No space left/,
  );
  const charts = JSON.parse(/data-charts="qr100">(.*?)<\/script>/s.exec(generatedPage)![1]!) as {
    id: string;
    rows: { label: string }[];
  }[];
  const rows = (id: string): string[] =>
    charts.find((one) => one.id === id)!.rows.map(({ label }) => label);
  assert.deepEqual(rows('query-rate'), ['pg17.a', 'pg18.a']);
  assert.deepEqual(rows('os-flush-await-ms'), ['pg17.a']);
});

test('each run tells how to repeat it', () => {
  const commands = [...generatedPage.matchAll(/<pre class="command">(.*?)<\/pre>/g)];
  assert.deepEqual(
    commands.map(([, command]) => command),
    [
      'ibench run --build pg17 --config a',
      'ibench run --build pg17 --config a',
      'ibench run --build pg18 --config a',
      'ibench run --build &lt;script&gt;x&lt;/script&gt; --config cx10b',
    ],
  );
});

test('bad choices are refused with what there is', () => {
  const refused = (...args: string[]): string => {
    try {
      ibench(...args);
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      assert.equal(status, 2);
      return stderr;
    }
    return assert.fail(`${args.join(' ')} was accepted`);
  };
  const chart = ['chart', '--db', GENERATED, '--step', 'l.i0'];
  assert.match(
    refused(...chart, '--chart', 'nope'),
    /no chart "nope"; expected one of: insert-rate/,
  );
  assert.match(
    refused(...chart, '--chart', 'insert-rate', '--from', '9'),
    /--from and --to together/,
  );
  assert.match(
    refused(...chart, '--chart', 'insert-rate', '--from', '9600', '--to', '9900'),
    /--from 9600: the chart insert-rate has the seconds 0 to \d+\n/,
  );
  assert.match(
    refused(...chart, '--chart', 'insert-percentiles', '--from', '1', '--to', '2'),
    /insert-percentiles is not over seconds/,
  );
  assert.match(refused(...chart, '--width', '7', '--chart', 'x'), /--width 7: expected 280 to/);
  assert.match(refused('chart', '--db', GENERATED, '--step', 'l.i9'), /"l.i9" is not among/);
  const unknown = refused('report', '--db', GENERATED, '--plan', 'x', '--out', '-');
  assert.match(unknown, /--plan x: no such plan \(plans: none\)/);
  assert.match(refused('report', '--db', GENERATED), /out/);
  assert.match(refused('report', '--db', GENERATED, '--base', 'x', '--out', '-'), /Base "x"/);
});

test('without a name, the charts of a step are listed', () => {
  const names = ibench('chart', '--db', GENERATED, '--step', 'qr100').trim().split('\n');
  for (const name of [
    'insert-rate',
    'delete-slowest',
    'query-rate',
    'query-percentiles',
    'cpu-split',
    'client-rates',
  ]) {
    assert.ok(names.includes(name), `${name} is not in ${names.join(', ')}`);
  }
});

interface JsonTable extends Pick<Table, 'id' | 'step' | 'columns'> {
  readonly rows: readonly { readonly values: Record<string, Cell['value']> }[];
}

/** A table of the page whose tag has come first, with the tag where the other formats have it. */
function tagBack(table: PageTable, at: number): PageTable {
  if (at < 1 || table.head[0] !== 'tag') return table;
  const back = <T>([tag, ...others]: readonly T[]): T[] => others.toSpliced(at, 0, tag!);
  return { ...table, head: back(table.head), rows: table.rows.map(back) };
}

function tableOf(id: string): PageTable {
  const table = publishedPage.find((one) => one.id === id);
  assert.ok(table, `no table ${id}`);
  return table;
}

/** Without the symbols of marks. */
function number(text: string): string {
  const symbols = ['good', 'bad'] as const;
  return symbols
    .reduce((rest, mark) => rest.replace(cellText({ value: null, text: '', mark }), ''), text)
    .trim();
}

/** One space between words, no frame, no escapes. */
function squeezed(output: string): string {
  return output
    .replace(/\\/g, '')
    .replace(/\|/g, ' ')
    .replace(/[^\S\n]+/g, ' ');
}

function ibench(...args: string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
