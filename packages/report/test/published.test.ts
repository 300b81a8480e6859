import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DECIMAL_NAMES } from '@ibench/core';
import { buildReport, type Row, type Table } from '../src/index.ts';
import { readCsv } from './fixtures.ts';
import { seed003Runs } from './seed003-runs.ts';
import { findTable } from './tables.ts';

const tables = buildReport(seed003Runs());

test('the throughput table is the published one', () => {
  assert.deepEqual(
    records(findTable(tables, 'summary')).map(({ n: _, ...row }) => shownOnly(row)),
    publishedRows('seed003_summary.csv'),
  );
});

test('the relative table is the published one', () => {
  const published = publishedRows('seed003_relative.csv');
  assert.deepEqual(
    records(findTable(tables, 'relative')).map(({ mean: _, compared: __, ...row }) => row),
    published,
  );
});

test('only the 8% slower index build is marked as a regression', () => {
  const { rows } = findTable(tables, 'relative');
  assert.deepEqual(
    rows.map(({ cells }) => cells.slice(1, -2).map(({ mark }) => mark)),
    [Array(6).fill('none'), ['none', 'bad', 'none', 'none', 'none', 'none']],
  );
});

test('the SLA table has the published rates, targets and verdicts', () => {
  const table = findTable(tables, 'sla');
  const published = readCsv('seed003_sla.csv');
  const shown = records(table);
  for (const { dbms, step, measured_ips, target_ips, verdict_by_rule } of published) {
    const row = shown.find(({ tag }) => tag === `20m.${dbms}`)!;
    assert.match(row[step!]!, new RegExp(`^${measured_ips} of ${target_ips} `));
    assert.equal(row[`${step}_target`], target_ips);
    assert.equal(row[`${step}_sla`], verdict_by_rule === 'pass' ? 'met' : 'missed');
  }
  assert.equal(published.length, 6);
});

test('the histograms print the published percentages', () => {
  const published = readCsv('seed003_histograms.csv');
  for (const row of published) {
    const shown = findTable(tables, 'histogram', row.step).rows.find(
      ({ cells }) => cells[0]!.value === row.kind && cells[2]!.value === `20m.${row.dbms}`,
    )!;
    assert.deepEqual(
      shown.cells.slice(3, 13).map(({ text }) => text),
      DECIMAL_NAMES.map((name) => (row[name] === '0.000' ? '' : row[name])),
    );
    assert.equal(shown.cells[13]!.value, Number(row.max) * 1e6);
  }
  assert.equal(published.length, 16);
});

test('the metrics print as published, in the published order; rps has a decimal more', () => {
  const published = readCsv('seed003_metrics.csv');
  for (const { step, rate_basis: _, ncores: __, seed_line: ___, ...columns } of published) {
    const table = findTable(tables, 'metrics', step);
    assert.deepEqual(
      table.columns.map(({ label }) => label),
      Object.keys(columns),
    );
    const shown = records(table).find(({ tag }) => tag === columns.tag)!;
    assert.deepEqual(
      { ...shown, rps: Number(shown.rps) },
      { ...columns, rps: Number(columns.rps) },
    );
  }
  assert.equal(published.length, 12);
});

/** Without the columns for machines. */
function shownOnly(row: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !key.endsWith('_client_bound')));
}

function publishedRows(name: string): Record<string, string>[] {
  return readCsv(name).map(({ dbms, ...columns }) => ({ tag: dbms!, ...columns }));
}

function records(table: Table): Record<string, string>[] {
  return table.rows.map((row) => record(table, row));
}

function record(table: Table, row: Row): Record<string, string> {
  return Object.fromEntries(table.columns.map(({ key }, i) => [key, row.cells[i]!.text]));
}
