import {
  type Fact,
  marksOf,
  type Provenance,
  plainTag,
  type RunRecord,
  shellWord,
} from '@ibench/core';

/** How to do a run again. */
export interface Repeat {
  /** As it was: the run itself, or the plan that it was part of. */
  readonly asItWas: string;
  /** The run alone, where a plan asked for it; null: that is what it was. */
  readonly alone: string | null;
  /** File that the configuration has to be saved as for the latter; null: none. */
  readonly configFile: string | null;
}

/** The commands that repeat a run, from what was recorded of it. Passwords were never recorded. */
export function repeatCommand(run: RunRecord, provenance: Provenance): Repeat {
  const called = provenance.commandLine.replace(/^ibench /, '');
  if (run.planRun === null) return { asItWas: `ibench ${called}`, alone: null, configFile: null };
  const configFile =
    provenance.configText === null ? null : `${run.config.replaceAll(/[^\w,.=-]/g, '_')}.conf`;
  return {
    asItWas: `ibench ${planAgain(called)}`,
    alone: aloneCommand(run, provenance.facts, configFile),
    configFile,
  };
}

/** From its beginning, also where it was resumed, and in a store that has it already. */
function planAgain(called: string): string {
  const anew = called.replace(/^plan resume /, 'plan run ').replace(' --retry-failed', '');
  return anew.includes(' --again') ? anew : `${anew} --again`;
}

/** Every parameter is set, since the plan's name for a workload need not be that of a preset. */
function aloneCommand(run: RunRecord, facts: readonly Fact[], configFile: string | null): string {
  const driver = clientFact(facts, 'driver');
  const pin = clientFact(facts, 'pin');
  const words = [
    ...['--build', run.build],
    ...(marksOf(run.tag).includes('debug build') ? ['--allow-debug-build'] : []),
    ...['--config', configFile ?? run.config],
    ...(driver === null || driver === 'libpq' ? [] : ['--driver', driver]),
    ...(clientFact(facts, 'spin') === 'true' ? ['--spin'] : []),
    ...(pin === null || pin === 'none' ? [] : ['--pin', pin]),
    ...['--tag', plainTag(run.tag)],
    ...facts
      .filter(({ category }) => category === 'workload')
      .flatMap(({ name, value }) => ['--set', `${name}=${value}`]),
  ];
  return `ibench run ${words.map(shellWord).join(' ')}`;
}

function clientFact(facts: readonly Fact[], wanted: string): string | null {
  const fact = facts.find(({ category, name }) => category === 'client' && name === wanted);
  return typeof fact?.value === 'string' ? fact.value : null;
}
