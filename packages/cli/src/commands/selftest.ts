import { UsageError } from '@ibench/core';
import { render } from '@ibench/report';
import type { CommandModule, InferredOptionTypes, Options } from 'yargs';
import { printResult, wantsColour } from '../environment.ts';
import { interruptible } from '../interrupt.ts';
import type { Progress } from '../run/progress.ts';
import type { Fault } from '../selftest/fault.ts';
import { FAULTS } from '../selftest/faults.ts';
import type { FaultOutcome } from '../selftest/judge.ts';
import { outcomeTable } from '../selftest/outcome-table.ts';
import { tryAll } from '../selftest/try-all.ts';

const SELFTEST_OPTIONS = {
  only: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: `try this fault alone (repeatable): ${FAULTS.map(({ name }) => name).join(', ')}`,
  },
} as const satisfies Record<string, Options>;

/** `ibench selftest`: does things to runs, and checks what the tool says. */
export const selftestCommand: CommandModule<
  object,
  InferredOptionTypes<typeof SELFTEST_OPTIONS>
> = {
  command: 'selftest',
  describe: 'Break throw-away runs on purpose, and check that each fault is told as it must be',
  builder: (yargs) =>
    yargs
      .options(SELFTEST_OPTIONS)
      .example('ibench selftest', 'decide whether to trust this tool on this host')
      .example('ibench selftest --only foreign-cpu --only disk-full', 'two of the faults')
      .epilogue('Exit codes: 0 all told as they must be, 1 not all, 2 bad usage, 130 interrupted.'),
  handler: async ({ only }) => {
    const faults = chooseFaults(only);
    await interruptible((progress, signal) => selftest(faults, progress, signal));
  },
};

function chooseFaults(only: readonly string[]): Fault[] {
  const names = FAULTS.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: expected one of ${names.join(', ')}`);
  }
  return FAULTS.filter(({ name }) => only.length === 0 || only.includes(name));
}

async function selftest(
  faults: readonly Fault[],
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const outcomes = await tryAll(faults, signal, {
    begins: (fault, nth) => progress.update(0, `${nth} of ${faults.length}: ${fault.what}`),
    ended: (outcome, ms) => {
      progress.line(`${verdictOf(outcome).padEnd(12)} ${outcome.fault.name} (${seconds(ms)} s)`);
      for (const problem of outcome.problems) progress.line(`${' '.repeat(13)}${problem}`);
    },
  });
  const count = `${faults.length} fault${faults.length === 1 ? '' : 's'}`;
  progress.line(`${count} in ${seconds(performance.now() - start)} s`);
  await printResult(render([outcomeTable(outcomes)], 'text', { colour: wantsColour() }));
  process.exitCode = outcomes.some(({ ok }) => ok === false) ? 1 : 0;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}

function verdictOf({ ok }: FaultOutcome): string {
  return ok === null ? 'not possible' : ok ? 'ok' : 'NOT OK';
}
