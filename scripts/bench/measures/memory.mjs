import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BIG_TABLE } from '../bench-server.mjs';
import { valueRow } from '../row.mjs';
import { median } from '../statistics.mjs';
import { runWorkers } from '../workers.mjs';

const MB = 1024 * 1024;
/** The kernel's count of resident pages is exact only within some hundred kB. */
const FLAT_MB = 1;

/** Resident memory of the four workers of qr1000, in its first and in its last tenth. */
export async function measureMemory(bench) {
  const { memory: seconds } = bench.options.seconds;
  bench.say(`memory of the workers of qr1000, ${seconds} s`);
  const readings = {};
  await runWorkers(bench, {
    step: 'qr1000',
    client: BIG_TABLE.client,
    roles: ['pace', 'insert', 'delete', 'query'],
    seconds,
    during: async (workers) => {
      for (const { job } of workers) readings[job.role] = [];
      for (let i = 0; i < 40; i++) {
        await sleep((seconds * 1000) / 41, undefined, { signal: bench.signal });
        for (const { job, pid } of workers) readings[job.role].push(residentMb(pid));
      }
    },
  });
  const tenths = Object.entries(readings).map(([role, values]) => ({
    role,
    first: median(values.slice(0, 4)),
    last: median(values.slice(-4)),
  }));
  const note = tenths
    .map(({ role, first, last }) => `${role} ${first.toFixed(1)} → ${last.toFixed(1)}`)
    .join(', ');
  return [
    valueRow({
      what: 'resident memory of the largest worker, qr1000',
      unit: 'MB',
      ours: [Math.max(...tenths.map(({ last }) => last))],
      target: { atMost: 60 },
      note: `first → last tenth of ${seconds} s: ${note}`,
    }),
    valueRow({
      what: 'its growth from the first to the last tenth, worst worker',
      unit: 'MB',
      ours: [Math.max(...tenths.map(({ first, last }) => last - first))],
      target: { atMost: FLAT_MB },
      note: 'none is allowed; 1 MB is what the count can be off by',
    }),
  ];
}

function residentMb(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) * 1024) / MB;
}
