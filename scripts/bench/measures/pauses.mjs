import { BIG_TABLE } from '../bench-server.mjs';
import { runHarness } from '../harness.mjs';
import { StepMemoryFile } from '../ibench.mjs';
import { valueRow } from '../row.mjs';
import { jobsOf } from '../workers.mjs';

/** The longest pauses that the client itself causes, in a process that runs the loops of two workers. */
export async function measurePauses(bench) {
  const { pauses: seconds } = bench.options.seconds;
  bench.say(`pauses of the client, ${seconds} s`);
  const memory = new StepMemoryFile(1);
  try {
    const [job] = jobsOf(bench, { step: 'qr100', client: BIG_TABLE.client, roles: ['query'] });
    const url = new URL('../harness/find-pauses.mjs', import.meta.url);
    const found = await runHarness(bench, url, { job, seconds }, [memory.fd]);
    return rows(found);
  } finally {
    memory.close();
  }
}

function rows({ queries, gc, betweenMs, generateMs }) {
  const own = Math.max(gc.longestMs, betweenMs.cpu, generateMs.cpu);
  const ms = (value) => value.toFixed(3);
  return [
    valueRow({
      what: 'longest garbage collection pause',
      unit: 'ms',
      ours: [gc.longestMs],
      target: { atMost: 2 },
      note: `wall time; ${gc.count} collections, ${ms(gc.totalMs)} ms together, over ${queries} queries, each with 50 rows generated`,
    }),
    valueRow({
      what: 'longest pause caused by the client',
      unit: 'ms',
      ours: [own],
      target: { atMost: 2 },
      note: `the longest of: a collection (wall), CPU from an answer to the next send (${ms(betweenMs.cpu)} ms), CPU of generating a statement (${ms(generateMs.cpu)} ms); in wall time these two were ${ms(betweenMs.wall)} and ${ms(generateMs.wall)} ms, with what the scheduler and the hypervisor took`,
    }),
  ];
}
