import assert from 'node:assert/strict';
import { test } from 'node:test';
import { osRates } from '../src/metrics/os-rates.ts';
import type { CpuTimes, DiskCounters, OsCounters } from '../src/sample.ts';
import { exactly, goldenRows, meets, printed } from './metrics-golden.ts';

const CPU: CpuTimes = {
  user: 1000,
  nice: 10,
  system: 500,
  idle: 9000,
  iowait: 100,
  irq: 5,
  softirq: 20,
  steal: 30,
};
const DISK: DiskCounters = {
  device: 'nvme0n1',
  reads: 100,
  readSectors: 2000,
  readMs: 50,
  writes: 700,
  writeSectors: 90_000,
  writeMs: 400,
  flushes: 10,
  flushMs: 7,
};
const BEFORE: OsCounters = { atS: 50, cpu: CPU, contextSwitches: 1000, cpus: 8, disks: [DISK] };

test('averages are counter differences over the time between the readings', () => {
  const rates = osRates(BEFORE, {
    ...BEFORE,
    atS: 60,
    contextSwitches: 6000,
    disks: [
      {
        device: 'nvme0n1',
        reads: 120,
        readSectors: 2000 + 20_480,
        readMs: 60,
        writes: 1100,
        writeSectors: 90_000 + 40_960,
        writeMs: 600,
        flushes: 15,
        flushMs: 17,
      },
    ],
  });
  assert.equal(rates.intervalS, 10);
  assert.equal(rates.csps, 500);
  assert.deepEqual([rates.rps, rates.rmbps, rates.r_await], [2, 1, 0.5]);
  assert.deepEqual([rates.wps, rates.wmbps, rates.w_await], [40, 2, 0.5]);
  assert.deepEqual([rates.fsyncs_per_s, rates.f_await], [0.5, 2]);
});

test('us and sy count as in vmstat; iowait and steal are apart', () => {
  const rates = osRates(
    BEFORE,
    afterTenSeconds({
      user: 1020,
      nice: 11,
      system: 508,
      idle: 9040,
      iowait: 104,
      irq: 6,
      softirq: 22,
      steal: 34,
    }),
  );
  assert.equal(rates.cpups, 40, '20 + 1 + 8 + 1 + 2 of 80 CPU seconds');
  assert.equal(rates.iowait_pct, 5);
  assert.equal(rates.steal_pct, 5);
});

test('idle and iowait that run backwards count as zero', () => {
  const rates = osRates(BEFORE, afterTenSeconds({ ...CPU, user: 1020, idle: 9020, iowait: 99 }));
  assert.equal(rates.cpups, 50);
  assert.equal(rates.iowait_pct, 0);
});

test('I/O on several devices is their sum, awaits are over all operations', () => {
  const wal = { ...DISK, device: 'nvme1n1' };
  const rates = osRates(
    { ...BEFORE, disks: [DISK, wal] },
    {
      ...BEFORE,
      atS: 60,
      disks: [
        { ...wal, writes: 800, writeMs: 500 },
        { ...DISK, writes: 1000, writeMs: 700 },
      ],
    },
  );
  assert.equal(rates.wps, 40);
  assert.equal(rates.w_await, 1);
});

test('an idle device has rates of zero but no await', () => {
  const rates = osRates(BEFORE, afterTenSeconds(CPU));
  assert.deepEqual([rates.rps, rates.wmbps, rates.fsyncs_per_s], [0, 0, 0]);
  assert.deepEqual([rates.r_await, rates.w_await, rates.f_await], [null, null, null]);
});

test('without readings everything is absent, not zero', () => {
  for (const rates of [osRates(null, BEFORE), osRates(null, null)]) {
    const { cpus: _, ...measured } = rates;
    assert.deepEqual(new Set(Object.values(measured)), new Set([null]));
  }
});

test('what the kernel does not count is absent, not zero', () => {
  const noDisk = { ...BEFORE, disks: [] };
  assert.equal(osRates(noDisk, { ...noDisk, atS: 60 }).wps, null, 'no device was found');
  const old = { ...BEFORE, disks: [{ ...DISK, flushes: null, flushMs: null }] };
  const rates = osRates(old, { ...old, atS: 60 });
  assert.deepEqual([rates.fsyncs_per_s, rates.f_await, rates.wps], [null, null, 0]);
  const noCpu = osRates(BEFORE, afterTenSeconds(CPU));
  assert.deepEqual([noCpu.cpups, noCpu.steal_pct], [null, null], 'CPU times stand still');
});

test('a counter that ran backwards or a device that came or went makes its columns absent', () => {
  const backwards = {
    ...BEFORE,
    atS: 60,
    disks: [{ ...DISK, writes: 701, reads: DISK.reads - 1 }],
  };
  const rates = osRates(BEFORE, backwards);
  assert.deepEqual([rates.rps, rates.wps], [null, 0.1]);
  const other = { ...DISK, device: 'sdb' };
  assert.equal(osRates(BEFORE, { ...BEFORE, atS: 60, disks: [DISK, other] }).wps, null);
  assert.equal(osRates({ ...BEFORE, disks: [DISK, other] }, { ...BEFORE, atS: 60 }).wps, null);
});

test('times of diskstats are 32-bit counters that begin again at zero', () => {
  const before = { ...BEFORE, disks: [{ ...DISK, writes: 700, writeMs: 2 ** 32 - 10 }] };
  const after = { ...BEFORE, atS: 60, disks: [{ ...DISK, writes: 710, writeMs: 40 }] };
  assert.equal(osRates(before, after).w_await, 5);
});

for (const [file, expected] of [
  ['sysbench_feb25_raw.csv', 186],
  ['sysbench_mar25_raw.csv', 720],
] as const) {
  test(`the right means of all ${expected} rows of ${file} come out of the sums as counters`, () => {
    let checked = 0;
    for (const row of goldenRows(file)) {
      const n = (column: string) => Number(row(column));
      // Sums of one-second samples without the since-boot row are counters over as many seconds.
      const seconds = n('vm_samples') - 1;
      const busy = n('sum_us_sy') - n('boot_us_sy');
      const vm = counted(seconds, n('sum_cs') - n('boot_cs'), busy, {});
      assertPrinted(vm.csps, row('right_mean_cs_no_boot'));
      assertPrinted(vm.cpups, row('right_mean_us_sy_no_boot'));
      const io = counted(n('io_samples'), 0, 0, {
        reads: n('sum_r_s'),
        readSectors: 2 * n('sum_rkB_s'),
        writes: n('sum_w_s'),
        writeSectors: 2 * n('sum_wkB_s'),
      });
      assertPrinted(io.rps, row('pub_r_s'));
      assertPrinted(io.rmbps, row('pub_rMB_s'));
      assertPrinted(io.wps, row('pub_w_s'));
      assertPrinted(io.wmbps, row('pub_wMB_s'));
      checked++;
    }
    assert.equal(checked, expected);
  });
}

function afterTenSeconds(cpu: CpuTimes): OsCounters {
  return { ...BEFORE, atS: BEFORE.atS + 10, cpu };
}

/** Rates between a machine that has counted nothing and one that has counted this; busy is % × seconds. */
function counted(
  seconds: number,
  contextSwitches: number,
  busy: number,
  disk: Partial<DiskCounters>,
): ReturnType<typeof osRates> {
  const zero = Object.fromEntries(Object.keys(CPU).map((kind) => [kind, 0])) as unknown as CpuTimes;
  const nothing = { ...DISK, reads: 0, readSectors: 0, writes: 0, writeSectors: 0 };
  return osRates(
    { atS: 0, cpu: zero, contextSwitches: 0, cpus: 1, disks: [nothing] },
    {
      atS: seconds,
      cpu: { ...zero, user: busy, idle: 100 * seconds - busy },
      contextSwitches,
      cpus: 1,
      disks: [{ ...nothing, ...disk }],
    },
  );
}

function assertPrinted(value: number | null, text: string): void {
  assert.ok(value !== null && meets(exactly(value), printed(text)), `${value} is not ${text}`);
}
