import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IostatReader, parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat, VmstatReader } from '../src/sampler/parse-vmstat.ts';

const VM_HEADER =
  ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n';
const IO_HEADER = 'Device r/s rkB/s w/s wkB/s %util\n';

test('a vmstat column that is not printed is null, not zero', () => {
  const { rows } = parseVmstat(
    ' r b swpd free buff cache si so bi bo in cs us sy id\n'.concat(
      '1 0 0 5 6 7 0 0 0 0 10 20 3 4 93\n',
    ),
  );
  assert.equal(rows[0]?.sample.wa, null);
  assert.equal(rows[0]?.sample.st, null);
  assert.equal(rows[0]?.sample.si, 0);
  assert.equal(rows[0]?.sample.interrupts, 10);
  assert.equal(rows[0]?.sample.idle, 93);
});

test('vmstat columns are found by name when their order is another', () => {
  const { rows } = parseVmstat('id sy us cs r\n90 7 3 55 2\n');
  const sample = rows[0]?.sample;
  assert.deepEqual([sample?.us, sample?.sy, sample?.cs, sample?.r], [3, 7, 55, 2]);
});

test('vmstat timestamps are kept and have no column of their own', () => {
  const header = VM_HEADER.replace('\n', '                 UTC\n');
  const { rows, damagedRows } = parseVmstat(
    `${header}1 0 0 1 2 3 0 0 0 0 5 6 7 8 85 0 0 2026-11-30 12:34:09\n`,
  );
  assert.equal(damagedRows, 0);
  assert.equal(rows[0]?.timestamp, '2026-11-30 12:34:09');
  assert.equal(rows[0]?.sample.st, 0);
});

test('a damaged first vmstat row does not make the second one the averages since boot', () => {
  const { rows, damagedRows } = parseVmstat(
    `${VM_HEADER}1 0 0 1 2\n1 0 0 1 2 3 0 0 0 0 5 6 7 8 85 0 0\n`,
  );
  assert.equal(damagedRows, 1);
  assert.deepEqual(
    rows.map((row) => row.sinceBoot),
    [false],
  );
});

test('a vmstat row without its newline may have lost digits and does not count', () => {
  const row = '1 0 0 1 2 3 0 0 0 0 5 6 7 8 85 0 0';
  const { rows, damagedRows } = parseVmstat(`${VM_HEADER}${row}\n${row}`);
  assert.equal(rows.length, 1);
  assert.equal(damagedRows, 1);
});

test('vmstat rows without any header are damaged, not guessed', () => {
  const { rows, damagedRows } = parseVmstat('1 0 0 1 2 3 0 0 0 0 5 6 7 8 85 0 0\n');
  assert.equal(rows.length, 0);
  assert.equal(damagedRows, 1);
});

test('vmstat read line by line gives each row as it comes', () => {
  const reader = new VmstatReader();
  assert.equal(reader.push(VM_HEADER.trim()), null);
  assert.equal(reader.push('1 0 0 1 2 3 0 0 0 0 5 6 7 8 85 0 0')?.sinceBoot, true);
  assert.equal(reader.push(VM_HEADER.trim()), null);
  assert.equal(reader.push('1 0 0 1 2 3 0 0 0 0 5 99 7 8 85 0 0')?.sample.cs, 99);
});

test('an iostat report comes at the blank line after its devices, not one interval later', () => {
  const reader = new IostatReader();
  const block = ['avg-cpu: %user %idle', ' 1.0 99.0', '', IO_HEADER.trim(), 'sda 1 2 3 4 5'];
  for (const line of ['Linux 6.1 (host) 11/30/26', '', ...block]) {
    assert.equal(reader.push(line), null);
  }
  const report = reader.push('');
  assert.equal(report?.sinceBoot, true);
  assert.equal(report?.cpu?.user, 1);
  assert.equal(report?.cpu?.steal, null);
  assert.equal(report?.devices[0]?.writeKbPerS, 4);
  for (const line of block) assert.equal(reader.push(line), null);
  assert.equal(reader.push('')?.sinceBoot, false);
  assert.equal(reader.end(), null);
});

test('an iostat report in which every device was idle and left out is still an interval', () => {
  const reports = parseIostat(
    `${IO_HEADER}sda 1 2 3 4 5\n\n${IO_HEADER}\n${IO_HEADER}sda 1 2 3 4 5\n`,
  );
  assert.deepEqual(
    reports.map((report) => report.devices.length),
    [1, 0, 1],
  );
});

test('an iostat column that is not printed is null, and discards are not writes', () => {
  const [report] = parseIostat('Device r/s w/s d/s dkB/s wMB/s\nsda 1 2 9 512 0.5\n');
  const row = report?.devices[0];
  assert.equal(row?.writesPerS, 2);
  assert.equal(row?.writeKbPerS, 512);
  assert.equal(row?.discardsPerS, 9);
  assert.equal(row?.discardKbPerS, 512);
  assert.equal(row?.readKbPerS, null);
  assert.equal(row?.flushesPerS, null);
  assert.equal(row?.queueSize, null);
});

test('iostat timestamps are kept in the local, the ISO and the old form', () => {
  const stamps = ['11/30/26 12:34:09', '2026-11-30T12:34:10+0000', 'Time: 12:34:11 PM'];
  const reports = parseIostat(
    stamps.map((stamp) => `${stamp}\n${IO_HEADER}sda 1 2 3 4 5\n\n`).join(''),
  );
  assert.deepEqual(
    reports.map((report) => report.timestamp),
    stamps,
  );
});

test('an iostat row cut off after the device name is damaged', () => {
  const [report] = parseIostat(`${IO_HEADER}sda 1 2 3 4 5\nsdb\n\n`);
  assert.equal(report?.damagedRows, 1);
  assert.equal(report?.devices.length, 1);
});

test('iostat JSON whose end is missing keeps the reports that are whole', () => {
  const cpu =
    '"avg-cpu":  {"user": 1.00, "nice": 0.00, "system": 2.00, "iowait": 0.00, "idle": 97.00},';
  const disk = '{"disk_device": "vda", "r/s": 3.00, "w/s": 4.00, "rkB/s": 5.00, "wkB/s": 6.00';
  const reports = parseIostat(
    `{"sysstat": {\n${cpu}\n"disk": [\n${disk}},\n${disk.replace('vda', 'vdb')}}\n]\n},\n{\n${cpu}\n"disk": [\n${disk}`,
  );
  assert.deepEqual(
    reports.map((report) => [report.devices.length, report.damagedRows]),
    [
      [2, 0],
      [0, 1],
    ],
  );
  assert.equal(reports[0]?.cpu?.system, 2);
  assert.equal(reports[0]?.cpu?.steal, null);
});
