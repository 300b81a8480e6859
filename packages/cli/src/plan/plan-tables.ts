import { type PlannedRun, type ProfileChoice, totalSeconds } from '@ibench/core';
import { formatBytes } from '@ibench/host';
import type { Table } from '@ibench/report';
import { branchMakers, type PlanEstimate } from './estimate-plan.ts';
import { formatSeconds } from './format.ts';
import type { LoadedPlan } from './load-plan.ts';
import { left, number, right, text } from './table-parts.ts';

/** The disk that the data of the runs would be on. */
export interface DataDisk {
  readonly folder: string;
  /** Null where the file system does not say. */
  readonly freeBytes: number | null;
}

/** The matrix of a plan, and the order of its runs, with what they are expected to take. */
export function planTables(loaded: LoadedPlan, estimate: PlanEstimate, disk: DataDisk): Table[] {
  return [cellTable(loaded, estimate, disk), orderTable(loaded, estimate)];
}

function cellTable(
  { plan, runs, resolve }: LoadedPlan,
  estimate: PlanEstimate,
  disk: DataDisk,
): Table {
  const cells = [...estimate.cells];
  return {
    id: 'plan-cells',
    step: null,
    title: `Plan ${plan.name}`,
    note: `${count(cells.length, 'cell')} × ${count(plan.repeats, 'repeat')} = ${count(runs.length, 'run')}; disk: the most that a run needs, time: of a run`,
    columns: [
      left('tag'),
      left('workload'),
      left('build'),
      left('config'),
      right('clients'),
      right('disk', 'disk_bytes'),
      right('time', 'seconds'),
      left('time from', 'time_from'),
    ],
    rows: cells.map(([cell, { space, time }]) => {
      const { build, config, workload } = resolve(cell);
      const seconds = totalSeconds(time);
      return {
        cells: [
          text(cell.tag),
          text(workload.name),
          text(build.name),
          text(config.name),
          number(workload.workload.clients),
          number(space.peakBytes, formatBytes(space.peakBytes)),
          number(seconds, formatSeconds(seconds)),
          text(originText(time.origin, time.runs)),
        ],
      };
    }),
    footnotes: [...describe(plan), ...describeEstimate({ plan, runs }, estimate, disk)],
  };
}

function orderTable({ plan, runs }: LoadedPlan, { runSeconds }: PlanEstimate): Table {
  let startsAfter = -plan.cooldownSeconds;
  return {
    id: 'plan-order',
    step: null,
    title: 'Order of the runs',
    note: `${plan.order.kind}${plan.order.kind === 'shuffled' ? `, seed ${plan.order.seed}` : ''}`,
    columns: [
      right('run'),
      left('tag'),
      left('workload'),
      right('repeat'),
      right('starts after', 'starts_after_s'),
    ],
    rows: runs.map(({ ordinal, cell, repeat }, i) => {
      startsAfter += plan.cooldownSeconds + (runSeconds[i - 1] ?? 0);
      return {
        cells: [
          number(ordinal),
          text(cell.tag),
          text(cell.labels.workload),
          number(repeat),
          number(startsAfter, formatSeconds(startsAfter)),
        ],
      };
    }),
    footnotes: [],
  };
}

function describe({ base, reuse, cooldownSeconds, retries, run }: LoadedPlan['plan']): string[] {
  return [
    ...(base === null ? [] : [`base: ${base.kind} ${base.label}`]),
    ...(reuse === null
      ? []
      : [
          `runs start from the data after ${reuse} of the first run of their build and workload, where the settings allow it`,
        ]),
    ...(cooldownSeconds === 0 ? [] : [`cool-down between runs: ${formatSeconds(cooldownSeconds)}`]),
    ...(retries === 0 ? [] : ['a failed run is done again once']),
    ...(run.profile === null ? [] : [profileText(run.profile)]),
  ];
}

function profileText({ roles, steps, seconds, frequencyHz }: ProfileChoice): string {
  return `profiled: backends of ${roles.join(', ')} in ${formatSeconds(seconds)} of ${steps.join(', ')} at ${frequencyHz} Hz, which costs throughput`;
}

function describeEstimate(
  { plan, runs }: Pick<LoadedPlan, 'plan' | 'runs'>,
  { cells, peakBytes, keptBytes, totalSeconds: seconds, runSeconds }: PlanEstimate,
  { folder, freeBytes }: DataDisk,
): string[] {
  const kept = keptBytes === 0 ? '' : ` and ${formatBytes(keptBytes)} for data that is kept`;
  const free = freeBytes === null ? 'free space unknown' : `${formatBytes(freeBytes)} free`;
  const bound = plan.host.minFreeDisk ?? 0;
  const beside = bound === 0 ? '' : `, ${formatBytes(bound)} to stay free (host.min_free_disk)`;
  const isTight = freeBytes !== null && peakBytes + keptBytes + bound > freeBytes;
  return [
    `disk: ${formatBytes(peakBytes)} for the largest run${kept}${beside}; ${free} in ${folder}${isTight ? ': this may not be enough' : ''}`,
    `time: ${formatSeconds(seconds)} in all`,
    ...rateText(cells),
    ...(plan.budgetSeconds === null ? [] : [budgetText(plan, runs, runSeconds)]),
    ...unusedText(plan, runs, cells.size),
  ];
}

/** What a plan of this size has no use for. */
function unusedText(
  { cooldownSeconds, reuse, base }: LoadedPlan['plan'],
  runs: readonly PlannedRun[],
  cells: number,
): string[] {
  const hasHeirs = branchMakers(runs).size < runs.length;
  return [
    ...(cooldownSeconds > 0 && runs.length === 1 ? ['cooldown is not used: there is one run'] : []),
    ...(reuse !== null && !hasHeirs
      ? ['reuse is not used: no two runs have the same build and workload']
      : []),
    ...(base !== null && cells === 1 ? ['base is not used: there is one cell'] : []),
  ];
}

/** What times are made of that no earlier run of the workload took. */
function rateText(cells: PlanEstimate['cells']): string[] {
  const origins = new Set([...cells.values()].map(({ time }) => time.origin));
  const text = (rates: string) =>
    `time from ${rates}: rows of all clients / (rows per second and CPU × CPUs that they can keep busy here) in l.i0 … l.i2, the set time of the other steps`;
  return [
    ...(origins.has('earlier rates') ? [text('earlier rates, of other workloads')] : []),
    ...(origins.has('assumed rates') ? [text('assumed rates, of no host in particular')] : []),
  ];
}

function budgetText(
  { budgetSeconds, cooldownSeconds }: LoadedPlan['plan'],
  runs: readonly PlannedRun[],
  runSeconds: readonly number[],
): string {
  const budget = budgetSeconds ?? Number.POSITIVE_INFINITY;
  let [used, fitting] = [-cooldownSeconds, 0];
  for (const seconds of runSeconds) {
    used += cooldownSeconds + seconds;
    if (used > budget) break;
    fitting++;
  }
  return `budget: ${formatSeconds(budget)}, enough for ${fitting} of ${count(runs.length, 'run')}`;
}

function originText(origin: string, runs: number): string {
  return runs === 0 ? origin : `${origin}, ${count(runs, 'run')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
