import { median } from '../median.ts';
import { planSteps, type StepPlan, tableNames } from '../plan.ts';
import type { Workload } from '../workload/workload.ts';

/** A step of an earlier run. */
export interface PastStep {
  readonly step: string;
  readonly seconds: number;
  /** Rows inserted, or indexed by l.x; 0 where the step does neither. */
  readonly rows: number;
}

/** An earlier run that was done in full; names as in the store. */
export interface PastRun {
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  /** Its workload's parameters, truth as text: those that the ibench which ran it had. */
  readonly parameters: Readonly<Record<string, string | number | null>>;
  readonly clients: number;
  /** CPUs of the host; null: not known, then as many as here. */
  readonly cpus: number | null;
  /** From its start to its end: initdb, steps and what is between them. */
  readonly seconds: number;
  readonly steps: readonly PastStep[];
}

/** A run whose time is to be estimated; names as it would have in the store. */
export interface RunToEstimate {
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  readonly parameters: Workload;
}

/** What an estimate is made from, the best first. */
export type TimeOrigin = 'same cell' | 'same workload' | 'earlier rates' | 'assumed rates';

/** How long a run is expected to take. */
export interface TimeEstimate {
  /** Seconds of each step by name. */
  readonly steps: ReadonlyMap<string, number>;
  /** Seconds beside the steps: initdb, start, checks, stop. */
  readonly otherSeconds: number;
  readonly origin: TimeOrigin;
  /** How many earlier runs it is made from. */
  readonly runs: number;
}

/** Rows per second and busy CPU of the preset quick on two cores shared with the load generator (README). */
const ASSUMED_RATES: Readonly<Record<string, number>> = {
  'l.i0': 50_000,
  'l.x': 350_000,
  'l.i1': 5000,
  'l.i2': 800,
};
const ASSUMED_OTHER_SECONDS = 15;

/**
 * How long a run takes: the median of the done runs of the same build, config and workload; else of the
 * same workload; else the rows of all clients by the median rates of all done runs, per CPU that is kept
 * busy; else by assumed rates. Steps that last a set time last that.
 *
 * @param cpus of this host
 */
export function estimateTime(
  run: RunToEstimate,
  past: readonly PastRun[],
  cpus: number,
): TimeEstimate {
  const rated = byRates(run.parameters, past, cpus);
  const earlier = earlierRuns(run, past);
  return earlier === null ? rated : asBefore(rated, earlier);
}

/** Runs that were the like of another one. */
export interface EarlierRuns {
  /** At least one. */
  readonly runs: readonly PastRun[];
  readonly origin: TimeOrigin;
}

/** The runs of the same cell, else those with the same workload: its name and, but for the seed, parameters. */
export function earlierRuns(run: RunToEstimate, past: readonly PastRun[]): EarlierRuns | null {
  const wanted: Readonly<Record<string, unknown>> = run.parameters;
  const runs = past.filter(
    ({ workload, parameters }) =>
      workload === run.workload &&
      Object.entries(parameters).every(
        ([name, value]) => name === 'seed' || String(wanted[name]) === String(value),
      ),
  );
  const sameCell = runs.filter(({ build, config }) => build === run.build && config === run.config);
  if (sameCell.length > 0) return { runs: sameCell, origin: 'same cell' };
  return runs.length > 0 ? { runs, origin: 'same workload' } : null;
}

/** All seconds of an estimate, without those of the steps up to a branch point that are inherited. */
export function totalSeconds(
  { steps, otherSeconds }: TimeEstimate,
  inheritedTo: string | null = null,
): number {
  const names = [...steps.keys()];
  const first = inheritedTo === null ? 0 : names.indexOf(inheritedTo) + 1;
  return names.slice(first).reduce((sum, name) => sum + (steps.get(name) ?? 0), otherSeconds);
}

/** Runs that inherited steps tell nothing about those: where none tells, rates do. */
function asBefore(rated: TimeEstimate, { runs: past, origin }: EarlierRuns): TimeEstimate {
  const steps = [...rated.steps].map(([name, seconds]): [string, number] => {
    const before = past.flatMap((run) => run.steps.filter(({ step }) => step === name));
    return [name, before.length > 0 ? median(before.map((step) => step.seconds)) : seconds];
  });
  return {
    steps: new Map(steps),
    otherSeconds: median(past.map(otherSeconds)),
    origin,
    runs: past.length,
  };
}

function byRates(workload: Workload, past: readonly PastRun[], cpus: number): TimeEstimate {
  const steps = planSteps(workload).map((step): [string, number] => [
    step.name,
    step.seconds ??
      rowsOf(step, workload) /
        (rateOf(step.name, past, cpus) * busyCpus(step.name, workload, cpus)),
  ]);
  return {
    steps: new Map(steps),
    otherSeconds: past.length > 0 ? median(past.map(otherSeconds)) : ASSUMED_OTHER_SECONDS,
    origin: past.length > 0 ? 'earlier rates' : 'assumed rates',
    runs: past.length,
  };
}

function otherSeconds({ seconds, steps }: PastRun): number {
  return Math.max(0, seconds - steps.reduce((sum, step) => sum + step.seconds, 0));
}

/** Rows that all clients together insert, or that l.x indexes. */
function rowsOf({ rowsPerClient }: StepPlan, workload: Workload): number {
  return rowsPerClient === null
    ? workload.rows * tableNames(workload).length
    : rowsPerClient.reduce((sum, rows) => sum + rows, 0);
}

/**
 * CPUs that a step keeps busy: an inserter or deleter and its backend take turns on one, and l.x works on
 * all tables at once.
 */
function busyCpus(
  step: string,
  { clients, tables, deletes }: Pick<Workload, 'clients' | 'tables' | 'deletes'>,
  cpus: number,
): number {
  if (step === 'l.x') return Math.min(tables === 'shared' ? 1 : clients, cpus);
  return Math.min(deletes && step !== 'l.i0' ? 2 * clients : clients, cpus);
}

function rateOf(name: string, past: readonly PastRun[], cpus: number): number {
  const rates = past.flatMap((run) => {
    const busy = busyCpus(name, shapeOf(run), run.cpus ?? cpus);
    return run.steps
      .filter(({ step, rows, seconds }) => step === name && rows > 0 && seconds > 0)
      .map(({ rows, seconds }) => rows / seconds / busy);
  });
  return rates.length > 0 ? median(rates) : (ASSUMED_RATES[name] as number);
}

function shapeOf({ clients, parameters }: PastRun) {
  return {
    clients,
    tables: parameters.tables === 'shared' ? 'shared' : 'per-client',
    deletes: parameters.deletes !== 'false',
  } as const;
}
