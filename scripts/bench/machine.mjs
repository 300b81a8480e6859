import fs from 'node:fs';
import os from 'node:os';

/** What the machine is, and how busy it was before, in one record. */
export function describeMachine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown CPU',
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    kernel: os.release(),
    node: process.version,
    /** Mean number of processes that wanted to run in the minute before. */
    loadBefore: os.loadavg()[0],
  };
}

/** CPU times of the whole machine since boot, in ticks. */
export function readCpuTicks() {
  const fields = fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/);
  // user nice system idle iowait irq softirq steal; the guest columns behind are inside user and nice
  const ticks = fields.slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, n) => sum + n, 0), steal: ticks[7] ?? 0 };
}

/** Share of the machine's CPU time that the hypervisor gave to others, in percent. */
export function stealPercent(before, after) {
  return (100 * (after.steal - before.steal)) / Math.max(1, after.total - before.total);
}
