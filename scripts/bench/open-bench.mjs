import {
  BIG_TABLE,
  finishBigTable,
  makeDirectory,
  openAdmin,
  openServer,
} from './bench-server.mjs';
import { UsageError, withReleasers } from './ibench.mjs';
import { listenForSignals } from './interrupt.mjs';
import { HELP, readOptions } from './options.mjs';
import { runWorkers } from './workers.mjs';

/**
 * Opens the bench's server with the big table filled, hands it to `use`, and cleans up whatever happens.
 *
 * @param groups names that --only takes
 * @returns exit code: 0 done, 1 failed, 2 bad usage, 130 interrupted
 */
export async function withBench(args, use, groups = []) {
  const signal = listenForSignals(say);
  try {
    const options = readOptions(args, groups);
    if (options.help) {
      process.stdout.write(HELP.replace('GROUPS', groups.join(', ')));
      return 0;
    }
    await withReleasers(async (release) => {
      const bench = { options, signal, say, directory: makeDirectory(release) };
      bench.server = await openServer(bench, release);
      bench.admin = openAdmin(bench.server, release);
      await fillBigTable(bench);
      await use(bench);
    });
    return 0;
  } catch (error) {
    say(error instanceof UsageError || signal.aborted ? error.message : error.stack);
    return signal.aborted ? 130 : error instanceof UsageError ? 2 : 1;
  }
}

/** Loads 500,000 rows with the tool's own inserter, through COPY; then indexes, vacuum, checkpoint. */
async function fillBigTable(bench) {
  bench.say(`loading ${BIG_TABLE.rows} rows`);
  const workload = { insert_method: 'copy', l_i0_rows_per_commit: 10_000, rows: BIG_TABLE.rows };
  const { client } = BIG_TABLE;
  await runWorkers(bench, { step: 'l.i0', client, roles: ['pace', 'insert'], workload });
  await finishBigTable(bench);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
