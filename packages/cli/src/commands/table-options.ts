import { FORMATS, type Format, type ReportOptions } from '@ibench/report';
import type { Options } from 'yargs';
import { STORE_OPTIONS } from './run-options.ts';

/** Options of every command that shows runs in a store: which of them, and what of them. */
export const CHOICE_OPTIONS = {
  ...STORE_OPTIONS,
  run: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'run id or tag (repeatable; default: all runs)',
  },
  base: { type: 'string', describe: 'tag that the others are compared with (default: the first)' },
  step: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'only these steps (repeatable)',
  },
  strict: {
    type: 'boolean',
    default: false,
    describe: 'refuse (exit code 1) runs that differ in more than what is under test',
  },
} as const satisfies Record<string, Options>;

/** Options of every command that prints tables of runs in a store. */
export const TABLE_OPTIONS = {
  ...CHOICE_OPTIONS,
  format: { choices: FORMATS, default: 'text' as Format, describe: 'how to print' },
} as const satisfies Record<string, Options>;

/** What to report, from the command line. */
export function reportOptions(args: {
  readonly base?: string | undefined;
  readonly step: readonly string[];
}): ReportOptions {
  return {
    ...(args.base === undefined ? {} : { base: args.base }),
    ...(args.step.length === 0 ? {} : { steps: args.step }),
  };
}
