import { BIG_TABLE } from '../bench-server.mjs';
import { playRounds } from '../rounds.mjs';
import { valueRow } from '../row.mjs';
import { runWorkers } from '../workers.mjs';

/** l.i2 at full speed on the big table: the pacer's CPU for one insert and one delete handed out. */
export async function measurePacer(bench) {
  const { ibench } = await playRounds(bench, 'pacer in l.i2', {
    ibench: async () => {
      const { warmup, slice } = bench.options.seconds;
      const { pace } = await runWorkers(bench, {
        step: 'l.i2',
        client: BIG_TABLE.client,
        roles: ['pace', 'insert', 'delete'],
        warmup,
        seconds: slice,
      });
      return { cpuUs: (pace.cpuS / pace.operations) * 1e6, rate: pace.operations / pace.seconds };
    },
  });
  return [
    valueRow({
      what: 'pacer CPU per statement pair, l.i2 at full speed',
      unit: 'µs',
      ours: ibench.map(({ cpuUs }) => cpuUs),
      target: { atMost: 5 },
      note: `at ${ibench.map(({ rate }) => Math.round(rate)).join(', ')} pairs/s`,
    }),
  ];
}
