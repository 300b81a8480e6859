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
  readonly clients: number;
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

/** Rows per second and client of the preset quick on two cores shared with the load generator (README). */
const ASSUMED_RATES: Readonly<Record<string, number>> = {
  'l.i0': 50_000,
  'l.x': 350_000,
  'l.i1': 10_000,
  'l.i2': 1600,
};
const ASSUMED_OTHER_SECONDS = 15;

/**
 * How long a run takes: the median of the done runs of the same build, config and workload; else of the
 * same workload; else the rows of its steps by the median rates of all done runs, per client; else by
 * assumed rates. Steps that last a set time last that.
 */
export function estimateTime(run: RunToEstimate, past: readonly PastRun[]): TimeEstimate {
  const sameWorkload = past.filter(({ workload }) => workload === run.workload);
  const sameCell = sameWorkload.filter(
    ({ build, config }) => build === run.build && config === run.config,
  );
  if (sameCell.length > 0) return asBefore(run.parameters, sameCell, 'same cell', past);
  if (sameWorkload.length > 0) return asBefore(run.parameters, sameWorkload, 'same workload', past);
  return byRates(run.parameters, past);
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
function asBefore(
  workload: Workload,
  past: readonly PastRun[],
  origin: TimeOrigin,
  all: readonly PastRun[],
): TimeEstimate {
  const rated = byRates(workload, all);
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

function byRates(workload: Workload, past: readonly PastRun[]): TimeEstimate {
  const steps = planSteps(workload).map((step): [string, number] => [
    step.name,
    step.seconds ?? rowsPerClient(step, workload) / rateOf(step.name, past),
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

/** Rows that a client inserts, or for l.x its share of those that are indexed. */
function rowsPerClient(step: StepPlan, workload: Workload): number {
  if (step.rowsPerClient !== null) return Math.max(...step.rowsPerClient);
  return (workload.rows * tableNames(workload).length) / workload.clients;
}

function rateOf(name: string, past: readonly PastRun[]): number {
  const rates = past.flatMap(({ steps, clients }) =>
    steps
      .filter(({ step, rows, seconds }) => step === name && rows > 0 && seconds > 0)
      .map(({ rows, seconds }) => rows / seconds / clients),
  );
  return rates.length > 0 ? median(rates) : (ASSUMED_RATES[name] as number);
}
