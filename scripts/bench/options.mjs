import { parseArgs } from 'node:util';
import { UsageError } from './ibench.mjs';

export const HELP = `npm run bench:client -- [options]
Compares ibench's load generator with pgbench and psql on a server of its own, side by side.
Takes about 17 minutes, on a machine with nothing else to do.

  --rounds N    interleaved rounds (default 5; 1 with --short)
  --short       under 90 seconds: checks that everything works, too short to judge by
  --only LIST   only these groups, separated by commas: GROUPS
  --json FILE   also write the result as JSON
  --help

IBENCH_PYTHON_CLIENT names the original Python client (iibench.py): adds a column for it.
`;

/**
 * Options of the bench with every length decided, in seconds.
 *
 * @param groups names that --only takes
 * @throws UsageError
 */
export function readOptions(args, groups) {
  const { values } = parse(args);
  const only = values.only?.split(',') ?? groups;
  for (const name of only) {
    if (!groups.includes(name)) {
      throw new UsageError(`--only: unknown group "${name}" (groups: ${groups.join(', ')})`);
    }
  }
  const short = values.short;
  return {
    help: values.help,
    json: values.json ?? null,
    short,
    only,
    rounds: readRounds(values.rounds) ?? (short ? 1 : 5),
    seconds: short
      ? { warmup: 0.3, slice: 1, schedule: 4, memory: 10, pauses: 5 }
      : { warmup: 1, slice: 5, schedule: 60, memory: 60, pauses: 60 },
    python: process.env.IBENCH_PYTHON_CLIENT || null,
  };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: 'string' },
        short: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new UsageError(`${cause.message} (see --help)`, { cause });
  }
}

function readRounds(text) {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new UsageError(`--rounds: expected a whole number from 1 to 9999, got "${text}"`);
  }
  return Number(text);
}
