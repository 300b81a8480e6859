import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, step } from '@ibench/core/testing';
import { buildReport, FORMATS, render, type Table } from '../src/index.ts';
import { assertGolden } from './fixtures.ts';
import { variedRuns } from './varied-runs.ts';

const PLAIN = { colour: false };
const varied = buildReport(variedRuns());

test('text looks as it did', () => {
  assertGolden(render(varied, 'text', PLAIN), 'varied.txt');
});

test('markdown looks as it did', () => {
  assertGolden(render(varied, 'md', PLAIN), 'varied.md');
});

test('without runs people get a sentence and machines nothing', () => {
  const outputs = FORMATS.map((format) => render(buildReport([]), format, PLAIN));
  assert.deepEqual(outputs, ['No runs to report.\n', 'No runs to report.\n', '', '', '[]\n']);
});

test('every number in text and markdown is the one in CSV, TSV and JSON, rounded', () => {
  const csv = delimited(render(varied, 'csv', PLAIN), ',');
  assert.deepEqual(delimited(render(varied, 'tsv', PLAIN), '\t'), csv);
  const json = JSON.parse(render(varied, 'json', PLAIN)) as { rows: { values: object }[] }[];
  const text = textTables(render(varied, 'text', PLAIN));
  const markdown = markdownTables(render(varied, 'md', PLAIN));
  assert.equal(text.length, varied.length);
  assert.equal(markdown.length, varied.length);
  const raw = csv.filter(([first]) => first !== 'table').map((record) => [...record]);
  let compared = 0;
  varied.forEach((table, t) => {
    const records = rawRecords(raw, table);
    table.rows.forEach((_, r) => {
      const values = Object.values(json[t]!.rows[r]!.values) as unknown[];
      assert.deepEqual(
        values.map((value) => String(value ?? '')),
        records[r],
      );
      const shown = table.columns.flatMap(({ dataOnly }, i) => (dataOnly ? [] : [records[r]![i]!]));
      shown.forEach((value, i) => {
        assert.equal(text[t]![r]![i], markdown[t]![r]![i]);
        compared += assertRounded(value, text[t]![r]![i]!);
      });
    });
  });
  assert.ok(compared > 500, `${compared} numbers compared`);
});

/** Checks one shown number against the raw one, and counts it; words and blanks count as none. */
function assertRounded(raw: string, shown: string): number {
  const number = /^(?:[▲▼✗]?◆? )?(\d+(?:\.(\d+))?)(?: (us|ms|s)$| of |$)/.exec(shown);
  if (raw === '' || Number.isNaN(Number(raw)) || number === null) return 0;
  const scale = { us: 1, ms: 1e3, s: 1e6 }[number[3] ?? 'us']!;
  const halfUnit = 0.5 * 10 ** -(number[2]?.length ?? 0);
  const error = Math.abs(Number(raw) / scale - Number(number[1]));
  assert.ok(error <= halfUnit * 1.000001, `${raw} is shown as ${shown}`);
  return 1;
}

/** Takes the records of one table off the records of all, without table and step. */
function rawRecords(all: string[][], table: Table): string[][] {
  const mine = all.filter(([id, name]) => id === table.id && [null, name].includes(table.step));
  return mine.map((record) => record.slice(table.step === null ? 1 : 2));
}

/** Cells of text tables, cut where the line under the headings says that columns are. */
function textTables(text: string): string[][][] {
  return text
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      const at = lines.findIndex((line) => line.startsWith('─'));
      const columns = [...lines[at]!.matchAll(/─+/g)];
      return lines
        .slice(at + 1)
        .filter((line) => !line.startsWith('* '))
        .map((line) =>
          columns.map((c) =>
            line
              .slice(c.index, c.index + c[0].length)
              .trim()
              .replace(/ +/g, ' '),
          ),
        );
    });
}

function markdownTables(markdown: string): string[][][] {
  return markdown
    .split('### ')
    .slice(1)
    .map((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .slice(2)
        .map((line) =>
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim().replace(/ +/g, ' ')),
        ),
    );
}

/** Records of CSV or TSV with quoting, empty lines left out. */
function delimited(text: string, delimiter: ',' | '\t'): string[][] {
  const records: string[][] = [[]];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\n"]*))(${delimiter}|\n|$)`, 'gy');
  for (const [, quoted, bare, end] of text.matchAll(field)) {
    records.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end !== delimiter) records.push([]);
  }
  return records.filter((record) => record.join('') !== '');
}

test('colours add escape codes and nothing else; without them there is none', () => {
  const coloured = render(varied, 'text', { colour: true });
  const plain = render(varied, 'text', PLAIN);
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
  assert.ok(coloured.match(escapes)!.length > 100);
  assert.equal(coloured.replace(escapes, ''), plain);
  assert.equal(plain.match(escapes), null);
});

test('a tag with pipe, quotes, line break and escape code breaks no format', () => {
  const tag = 'a|b "c"\nd\te\u001b[31m,<f>';
  const tables = buildReport([run(tag, [step('l.i0', { ips: 7 })]), run('z', [])]);
  const text = render(tables.slice(0, 1), 'text', PLAIN);
  assert.deepEqual(text.split('\n').slice(4, 6), [
    'a|b "c" d e [31m,<f>  1     7',
    'z                     1',
  ]);
  const markdown = render(tables.slice(0, 1), 'md', PLAIN).split('\n');
  assert.equal(markdown[6], '| a\\|b "c" d e \\[31m,\\<f> | 1 | 7 |');
  for (const [format, delimiter] of [
    ['csv', ','],
    ['tsv', '\t'],
  ] as const) {
    const records = delimited(render(tables, format, PLAIN), delimiter);
    assert.deepEqual(records[1], ['summary', tag, '1', '7', '']);
  }
  const [summary] = JSON.parse(render(tables, 'json', PLAIN));
  assert.equal(summary.rows[0].values.tag, tag);
});

test('40 runs with long tags stay aligned and whole', () => {
  const tags = Array.from({ length: 40 }, (_, i) => `${'long_'.repeat(i)}pg${i}.cx10b`);
  const tables = buildReport(
    tags.map((tag, i) => run(tag, [step('l.i0', { ips: 10 ** (i % 7) })])),
  );
  const lines = render(tables.slice(0, 1), 'text', PLAIN).trimEnd().split('\n').slice(2);
  assert.equal(lines.length, 42);
  assert.deepEqual([...new Set(lines.map((line) => line.length))], [lines[1]!.length]);
  tags.forEach((tag, i) => {
    assert.ok(lines[i + 2]!.startsWith(`${tag} `));
  });
});

test('CSV has one header per kind of table and an empty line between kinds', () => {
  const csv = render(varied, 'csv', PLAIN);
  const headers = csv.split('\n').filter((line) => line.startsWith('table,'));
  const kinds = new Set(varied.map(({ id }) => id)).size;
  assert.equal(headers.length, kinds);
  assert.equal(csv.split('\n\ntable,').length, kinds);
  assert.ok(headers.some((header) => header.startsWith('table,step,seconds,cpupq,')));
});

test('JSON has infinite ratios as "inf" and absent values as null', () => {
  const tables = buildReport([
    run('a', [step('l.i0', { ips: 0 }), step('l.x', { ips: null })]),
    run('b', [step('l.i0', { ips: 5 }), step('l.x', { ips: Number.NaN })]),
  ]);
  const relative = JSON.parse(render(tables, 'json', PLAIN))[1];
  assert.deepEqual(relative.rows[1], {
    values: { tag: 'b', 'l.i0': 'inf', 'l.x': null, mean: null, compared: 0 },
    marks: { 'l.i0': 'good' },
  });
});

test('a client-bound throughput is labelled in every format, without colour too', () => {
  const bound = { server_wait_share: 0.65, client_bound: true };
  const tables = buildReport([
    run('a', [step('l.i0', { ips: 100, ...bound })]),
    run('b', [step('l.i0', { ips: 200, server_wait_share: 0.9, client_bound: false })]),
    run('c', [step('l.i0', { ips: 300, ...bound })]),
    run('d', [step('l.i0', { ips: 170 })]),
  ]).slice(0, 1);
  const text = render(tables, 'text', PLAIN).split('\n');
  assert.deepEqual(text.slice(4, 8), [
    'a    1  ▼◆ 100',
    'b    1     200',
    'c    1  ▲◆ 300',
    'd    1     170',
  ]);
  assert.match(text[8]!, /^\* ◆ client-bound: .* under 70% of its time/);
  const markdown = render(tables, 'md', PLAIN);
  assert.match(markdown, /^\| a \| 1 \| ▼◆ 100 \|$/m);
  assert.match(markdown, /^- ◆ client-bound: /m);
  assert.deepEqual(delimited(render(tables, 'csv', PLAIN), ','), [
    ['table', 'tag', 'n', 'l.i0', 'l.i0_client_bound'],
    ['summary', 'a', '1', '100', 'yes'],
    ['summary', 'b', '1', '200', 'no'],
    ['summary', 'c', '1', '300', 'yes'],
    ['summary', 'd', '1', '170', ''],
  ]);
  const [summary] = JSON.parse(render(tables, 'json', PLAIN));
  assert.deepEqual(
    summary.rows.map((row: { values: object }) => Object.values(row.values).at(-1)),
    ['yes', 'no', 'yes', null],
  );
  assert.match(summary.footnotes[0], /^◆ client-bound: /);
});
