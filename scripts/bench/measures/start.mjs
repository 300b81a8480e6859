import { makeJobs, parseWorkload, planSteps, postgresDialect, readProcess } from '../ibench.mjs';
import { orAborted } from '../interrupt.mjs';
import { playRounds } from '../rounds.mjs';
import { valueRow } from '../row.mjs';
import { withWorkers } from '../workers.mjs';

const CLIENTS = 20;

/** Start of all workers of a read-write step, until each has connected, prepared and said that it is ready. */
export async function measureStart(bench) {
  const tables = Array.from({ length: CLIENTS - 2 }, (_, i) => `pi${i + 3}`);
  const plain = { secondary_indexes: 0, partitions: 0, expectedRows: 1 };
  await bench.server.createTables(tables, plain);
  const workload = parseWorkload({ clients: CLIENTS }, 'bench');
  const step = planSteps(workload).find(({ name }) => name === 'qr100');
  const connect = (role) => bench.server.connect(`bench/${role}`);
  const jobs = makeJobs(step, workload, {
    parentPid: process.pid,
    dialect: postgresDialect,
    pin: { mode: 'none', cpus: [] },
    connect,
  });
  const { ibench } = await playRounds(bench, `start of ${CLIENTS} clients`, {
    ibench: () => start(bench, jobs),
  });
  const what = `start of ${CLIENTS} clients (${jobs.length} processes) to the barrier`;
  return [
    valueRow({
      what,
      unit: 's',
      ours: ibench.map(({ wallS }) => wallS),
      target: { atMost: 10 },
    }),
    valueRow({
      what: `${what}, CPU per process`,
      unit: 'ms',
      ours: ibench.map(({ cpuMs }) => cpuMs),
      target: { atMost: 150 },
      note: 'user + system of the workers themselves, mean over all',
    }),
  ];
}

function start(bench, jobs) {
  const before = performance.now();
  return withWorkers(bench, jobs, async (workers) => {
    await orAborted(Promise.all(workers.map((worker) => worker.ready)), bench.signal);
    const wallS = (performance.now() - before) / 1000;
    const cpu = workers.map(({ pid }) => {
      const { user, system } = readProcess(pid);
      return user + system;
    });
    return { wallS, cpuMs: (1000 * cpu.reduce((sum, s) => sum + s, 0)) / workers.length };
  });
}
