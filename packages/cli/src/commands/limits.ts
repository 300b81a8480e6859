import { UsageError } from '@ibench/core';
import type { InferredOptionTypes, Options } from 'yargs';
import { CANARY_MODES } from '../run/canary.ts';
import type { RunLimits } from '../run/context.ts';
import { parseSize } from '../run/disk-reserve.ts';

/** Of every command that says whether a configuration can be run. */
export const EXEC_OPTIONS = {
  'allow-exec': {
    type: 'boolean',
    default: false,
    describe: 'allow a configuration in which the server runs commands or loads libraries by path',
  },
} as const satisfies Record<string, Options>;

/** Options of every command that runs benchmarks: under which conditions a number is worth keeping. */
export const LIMIT_OPTIONS = {
  canary: {
    choices: CANARY_MODES,
    default: CANARY_MODES[0],
    describe:
      'have the host do a fixed piece of work around the run, to see whether it is as usual',
  },
  'disk-reserve': {
    type: 'string',
    default: '1GB',
    describe: 'the run stops before less than this is free where it writes',
  },
  'max-foreign-cpu': {
    type: 'number',
    requiresArg: true,
    default: 25,
    describe: 'a step is invalid when other programs take more of the CPU, %',
  },
  'max-steal': {
    type: 'number',
    requiresArg: true,
    default: 10,
    describe: 'a step is invalid when the hypervisor takes more of the CPU, %',
  },
  ...EXEC_OPTIONS,
} as const satisfies Record<string, Options>;

type LimitArguments = Pick<
  InferredOptionTypes<typeof LIMIT_OPTIONS>,
  'disk-reserve' | 'max-foreign-cpu' | 'max-steal'
>;

/** What the user said about the limits. @throws UsageError for what makes no sense */
export function readLimits(args: LimitArguments): RunLimits {
  const percent = (option: 'max-foreign-cpu' | 'max-steal'): number => {
    const value = args[option];
    if (value >= 0 && value <= 100) return value;
    throw new UsageError(`--${option} ${value}: expected a share of the CPU from 0 to 100, %`);
  };
  return {
    diskReserve: parseSize('--disk-reserve', args['disk-reserve']),
    maxForeignCpuPct: percent('max-foreign-cpu'),
    maxStealPct: percent('max-steal'),
  };
}
