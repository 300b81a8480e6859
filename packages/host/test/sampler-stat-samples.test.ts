import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type IoReport, parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat, type VmstatRow } from '../src/sampler/parse-vmstat.ts';

const FOLDER = new URL('../../test/fixtures/stat-samples/', import.meta.url);

interface Means {
  readonly r_s: number | null;
  readonly w_s: number | null;
  readonly rkB_s: number | null;
  readonly wkB_s: number | null;
}

interface IoBlock {
  readonly intervals: number;
  readonly device_rows: number;
  readonly mean_over_device_rows: Means;
  readonly mean_over_intervals: Means;
  readonly cpu?: { readonly n: number; user: number; nice: number; system: number };
}

interface VmBlock {
  readonly n: number;
  readonly mean_cs: number;
  readonly mean_us: number;
  readonly mean_sy: number;
  readonly mean_us_plus_sy: number;
}

interface IoExpected {
  readonly tool: 'iostat';
  readonly device: string;
  readonly first_report_is_since_boot: boolean | 'unknown';
  readonly reports_in_file: number;
  readonly devices: readonly string[];
  readonly rows_with_wrong_cell_count: number;
  readonly without_first_report: IoBlock;
  readonly all_reports: IoBlock;
  readonly use: 'without_first_report' | 'all_reports';
}

interface VmExpected {
  readonly tool: 'vmstat';
  readonly rows_in_file: number;
  readonly header_lines: number;
  readonly rows_with_wrong_cell_count: number;
  readonly without_first_row: VmBlock;
  readonly all_rows: VmBlock;
}

const expected: Record<string, IoExpected | VmExpected> = JSON.parse(read('expected.json'));

test('every sample file gives all its expected values', () => {
  const files = readdirSync(FOLDER).filter((name) => /^(?:io|vm)-/.test(name));
  assert.equal(files.length, 25);
  assert.deepEqual(files.sort(), Object.keys(expected).sort());
  for (const file of files) {
    const wanted = expected[file]!;
    if (wanted.tool === 'iostat') checkIostat(file, wanted);
    else checkVmstat(file, wanted);
  }
});

function checkIostat(file: string, wanted: IoExpected): void {
  const flags = { omitsSinceBoot: wanted.first_report_is_since_boot === false };
  const reports = parseIostat(read(file), flags);
  assert.equal(reports.length, wanted.reports_in_file, file);
  const damaged = sum(reports.map((report) => report.damagedRows));
  assert.equal(damaged, wanted.rows_with_wrong_cell_count, file);
  const names = reports.flatMap((report) => report.devices.map((row) => row.device));
  assert.deepEqual([...new Set(names)].sort(), wanted.devices, file);
  checkIoBlock(`${file} all`, reports, wanted.device, wanted.all_reports);
  checkIoBlock(`${file} rest`, reports.slice(1), wanted.device, wanted.without_first_report);
  // Without being told which, leaving out what is flagged must give the right block.
  const kept = reports.filter((report) => !report.sinceBoot);
  checkIoBlock(`${file} kept`, kept, wanted.device, wanted[wanted.use]);
}

function checkIoBlock(
  where: string,
  reports: readonly IoReport[],
  device: string,
  wanted: IoBlock,
): void {
  const rows = reports.flatMap((report) => report.devices.filter((row) => row.device === device));
  const columns = {
    r_s: rows.map((row) => row.readsPerS),
    w_s: rows.map((row) => row.writesPerS),
    rkB_s: rows.map((row) => row.readKbPerS),
    wkB_s: rows.map((row) => row.writeKbPerS),
  };
  assert.equal(reports.length, wanted.intervals, where);
  assert.equal(rows.length, wanted.device_rows, where);
  for (const name of ['r_s', 'w_s', 'rkB_s', 'wkB_s'] as const) {
    const total = sum(columns[name]);
    near(total / rows.length, wanted.mean_over_device_rows[name], `${where} ${name}`);
    near(total / reports.length, wanted.mean_over_intervals[name], `${where} ${name}`);
  }
  const cpus = reports.map((report) => report.cpu).filter((cpu) => cpu !== null);
  assert.equal(cpus.length, wanted.cpu?.n ?? 0, where);
  for (const name of ['user', 'nice', 'system'] as const) {
    if (wanted.cpu === undefined) continue;
    near(sum(cpus.map((cpu) => cpu[name])) / cpus.length, wanted.cpu[name], `${where} ${name}`);
  }
}

function checkVmstat(file: string, wanted: VmExpected): void {
  const { rows, headers, damagedRows } = parseVmstat(read(file));
  assert.equal(rows.length, wanted.rows_in_file, file);
  assert.equal(headers, wanted.header_lines, file);
  assert.equal(damagedRows, wanted.rows_with_wrong_cell_count, file);
  const kept = rows.filter((row) => !row.sinceBoot);
  checkVmBlock(`${file} all`, rows, wanted.all_rows);
  checkVmBlock(`${file} kept`, kept, wanted.without_first_row);
}

function checkVmBlock(where: string, rows: readonly VmstatRow[], wanted: VmBlock): void {
  const us = sum(rows.map((row) => row.sample.us));
  const sy = sum(rows.map((row) => row.sample.sy));
  assert.equal(rows.length, wanted.n, where);
  near(sum(rows.map((row) => row.sample.cs)) / rows.length, wanted.mean_cs, where);
  near(us / rows.length, wanted.mean_us, where);
  near(sy / rows.length, wanted.mean_sy, where);
  near((us + sy) / rows.length, wanted.mean_us_plus_sy, where);
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** A null would be a column that was not recognised. */
function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => {
    assert.notEqual(value, null);
    return total + value!;
  }, 0);
}

/** expected.json has six decimals. */
function near(actual: number, wanted: number | null, where: string): void {
  assert.notEqual(wanted, null, where);
  assert.ok(Math.abs(actual - wanted!) <= 1e-6, `${where}: ${actual} is not ${wanted}`);
}
