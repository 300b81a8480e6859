import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat } from '../src/sampler/parse-vmstat.ts';

const FOLDER = new URL('../../test/fixtures/golden-raw/', import.meta.url);

test('the means of the published raw files are right, and as published when biased on purpose', () => {
  const published = readCsv('published.csv');
  assert.equal(published.length, 6);
  for (const row of published) {
    checkVmstat(row);
    checkIostat(row);
  }
});

function checkVmstat(row: Map<string, string>): void {
  const { rows, headers, damagedRows } = parseVmstat(unzip(`${row.get('file')}.vm.txt.gz`));
  assert.equal(damagedRows, 0);
  assert.equal(rows.length, Number(row.get('vm_samples')));
  assert.equal(headers, Number(row.get('vm_header_lines')));

  const kept = rows.filter((one) => !one.sinceBoot);
  equalAsPrinted(mean(kept.map((one) => one.sample.cs)), row, 'right_mean_cs_no_boot');
  equalAsPrinted(
    mean(kept.map((one) => one.sample.us! + one.sample.sy!)),
    row,
    'right_mean_us_sy_no_boot',
  );

  const divisor = rows.length + headers - 1;
  const cs = sum(rows.map((one) => one.sample.cs)) / divisor;
  const cpu = sum(rows.map((one) => one.sample.us! + one.sample.sy!)) / divisor;
  const operations = Number(row.get('pub_o_s'));
  assert.equal(divisor, Number(row.get('pub_vm_samp')));
  equalAsPrinted(cs, row, 'pub_cs_s');
  equalAsPrinted(cpu, row, 'pub_cpu_s');
  equalAsPrinted(cs / operations, row, 'pub_cs_o');
  equalAsPrinted(cpu / operations, row, 'pub_cpu_o');
}

function checkIostat(row: Map<string, string>): void {
  const text = unzip(`${row.get('file')}.io.txt.gz`);
  const reports = parseIostat(text, { omitsSinceBoot: true });
  const md2 = reports.flatMap((one) => one.devices.filter((io) => io.device === row.get('device')));
  assert.equal(reports.length, Number(row.get('io_samples')));
  assert.equal(md2.length, Number(row.get('pub_io_samp')));
  assert.equal(sum(reports.map((one) => one.damagedRows)), 0);

  const reads = mean(md2.map((io) => io.readsPerS));
  const readKb = mean(md2.map((io) => io.readKbPerS));
  const writes = mean(md2.map((io) => io.writesPerS));
  const writeKb = mean(md2.map((io) => io.writeKbPerS));
  const operations = Number(row.get('pub_o_s'));
  equalAsPrinted(reads, row, 'pub_r_s');
  equalAsPrinted(readKb / 1024, row, 'pub_rMB_s');
  equalAsPrinted(writes, row, 'pub_w_s');
  equalAsPrinted(writeKb / 1024, row, 'pub_wMB_s');
  equalAsPrinted(reads / operations, row, 'pub_r_o');
  equalAsPrinted(readKb / operations, row, 'pub_rKB_o');
  equalAsPrinted(writeKb / operations, row, 'pub_wKB_o');
}

/** Equal when the printed decimals are what rounding the value allows. */
function equalAsPrinted(value: number, row: Map<string, string>, column: string): void {
  const printed = row.get(column)!;
  const decimals = printed.split('.')[1]?.length ?? 0;
  const half = 0.5 * 10 ** -decimals;
  const where = `${row.get('file')} ${column}: ${value} is not ${printed}`;
  assert.ok(Math.abs(value - Number(printed)) <= half * 1.000001, where);
}

function readCsv(name: string): Map<string, string>[] {
  const [header, ...lines] = readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n');
  const columns = header!.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    assert.equal(cells.length, columns.length);
    return new Map(columns.map((column, index) => [column, cells[index]!]));
  });
}

function unzip(name: string): string {
  return gunzipSync(readFileSync(new URL(name, FOLDER))).toString('utf8');
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + value!, 0);
}

function mean(values: readonly (number | null)[]): number {
  return sum(values) / values.length;
}
