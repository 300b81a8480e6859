import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OsSample } from '@ibench/core';
import { averageSamples, compareReadings } from '../src/sampler/compare-readings.ts';
import { parseIostat } from '../src/sampler/parse-iostat.ts';
import { parseVmstat } from '../src/sampler/parse-vmstat.ts';

const EXACT = { csPerS: 1000, cpuPct: 50, writesPerS: 200, writeKbPerS: 4000 };

test('readings that agree within 5% give no warning', () => {
  const series = { csPerS: 1050, cpuPct: 47.5, writesPerS: 190, writeKbPerS: 4200 };
  assert.deepEqual(compareReadings(EXACT, series), []);
});

test('each reading that is further off gives its own warning', () => {
  const series = { csPerS: 1051, cpuPct: 47.4, writesPerS: 189, writeKbPerS: 4000 };
  const warnings = compareReadings(EXACT, series);
  assert.equal(warnings.length, 3);
  assert.match(warnings[0]!, /context switches\/s: .* 1000\.0, .* 1051\.0, more than 5% apart/);
});

test('a difference below what the tools can show gives no warning', () => {
  const exact = { csPerS: 0.4, cpuPct: 0.6, writesPerS: 0.2, writeKbPerS: 0.9 };
  const series = { csPerS: 0, cpuPct: 1.5, writesPerS: 0, writeKbPerS: 0 };
  assert.deepEqual(compareReadings(exact, series), []);
});

test('a series of zeros beside real work gives a warning', () => {
  assert.equal(compareReadings(EXACT, { ...EXACT, writesPerS: 0 }).length, 1);
});

test('what was not measured is not compared', () => {
  const nothing = { csPerS: null, cpuPct: null, writesPerS: null, writeKbPerS: null };
  assert.deepEqual(compareReadings(EXACT, nothing), []);
  assert.deepEqual(averageSamples([]), nothing);
});

test('averages sum devices within a sample, and leave out samples that lack the half', () => {
  const samples = [
    sampleOf(1, 'cs us sy id gu\n100 10 20 70 5\n', 'Device r/s w/s wkB/s\na 0 1 8\nb 0 2 16\n'),
    sampleOf(2, 'cs us sy id gu\n300 20 30 50 5\n', ''),
    sampleOf(3, '', 'Device r/s w/s wkB/s\na 0 5 8\nb 0 4 0\n'),
  ];
  assert.deepEqual(averageSamples(samples), {
    csPerS: 200,
    // Guest time, which this vmstat shows apart from us, is user time.
    cpuPct: 45,
    writesPerS: 6,
    writeKbPerS: 16,
  });
});

function sampleOf(second: number, vmText: string, ioText: string): OsSample {
  return {
    second,
    vm: parseVmstat(vmText).rows[0]?.sample ?? null,
    io: parseIostat(ioText)[0]?.devices ?? [],
  };
}
