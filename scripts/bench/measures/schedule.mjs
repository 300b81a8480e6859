import fs from 'node:fs';
import path from 'node:path';
import { BIG_TABLE } from '../bench-server.mjs';
import { runHarness } from '../harness.mjs';
import { clientEntry, createPipe, StepMemoryFile, startWorker } from '../ibench.mjs';
import { orAborted } from '../interrupt.mjs';
import { valueRow } from '../row.mjs';
import { percentile } from '../statistics.mjs';
import { jobsOf } from '../workers.mjs';

/**
 * How late background statements are at 1000 rows/s: a real pacer hands them to a process that waits for
 * them as an inserter does, takes the time and acknowledges at once. The server is idle.
 */
export async function measureSchedule(bench) {
  bench.say(`schedule of the background writer, ${bench.options.seconds.schedule} s`);
  const { rowsPerCommit, latenessUs } = await pacedBy(bench);
  const ms = (fraction) => percentile(latenessUs, fraction) / 1000;
  return [
    valueRow({
      what: 'schedule error of the background writer at 1000 rows/s, p99',
      unit: 'ms',
      ours: [ms(0.99)],
      target: { atMost: 1 },
      note: `${latenessUs.length} statements of ${rowsPerCommit} rows; p50 ${ms(0.5).toFixed(3)} ms, max ${ms(1).toFixed(3)} ms`,
    }),
  ];
}

async function pacedBy(bench) {
  const wish = { step: 'qr1000', client: BIG_TABLE.client, roles: ['pace'] };
  const [job] = jobsOf(bench, wish);
  const memory = new StepMemoryFile(1);
  const records = createPipe();
  const acks = createPipe();
  const log = path.join(bench.directory, 'workers.log');
  const fds = { memory: memory.fd, queue: records.write, acks: acks.read };
  const pacer = startWorker(job, { entry: clientEntry(), log }, fds);
  try {
    const url = new URL('../harness/take-statements.mjs', import.meta.url);
    const taken = runHarness(bench, url, {}, [records.read, acks.write]);
    for (const fd of [...Object.values(records), ...Object.values(acks)]) fs.closeSync(fd);
    taken.catch(() => {});
    await orAborted(pacer.ready, bench.signal);
    const startNs = Number(process.hrtime.bigint()) + 500e6;
    pacer.go({ startNs, deadlineNs: startNs + bench.options.seconds.schedule * 1e9 });
    const both = Promise.all([taken, pacer.done]);
    const [latenessUs] = await orAborted(both, bench.signal);
    return { rowsPerCommit: job.rowsPerCommit, latenessUs };
  } finally {
    pacer.kill();
    await pacer.exited;
    memory.close();
  }
}
