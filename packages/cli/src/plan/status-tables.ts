import type { Table, Cell as TableCell } from '@ibench/report';
import type { PlanRecord, PlanRunRecord } from '@ibench/store';
import { formatSeconds } from './format.ts';
import { type Standing, standingOf } from './standing.ts';
import { left, number, right, text } from './table-parts.ts';

/** What is known beside the rows of the store. */
interface Outlook {
  readonly remainingSeconds: number | null;
  readonly nowMs: number;
  /** What can be done about runs that failed. */
  readonly advice: string | null;
}

/** How a plan stands: its cells and repeats, and each run with its reason and length. */
export function statusTables(
  plan: PlanRecord,
  runs: readonly PlanRunRecord[],
  { remainingSeconds, nowMs, advice }: Outlook,
): Table[] {
  const isRunning = plan.status === 'running';
  const seen = runs.map((run) => ({ run, standing: seenNow(standingOf(run), isRunning) }));
  return [matrix(plan, seen, remainingSeconds, nowMs), list(seen, nowMs, advice)];
}

interface Seen {
  readonly run: PlanRunRecord;
  readonly standing: Standing;
}

/** A run cannot work without its plan's runner. */
function seenNow(standing: Standing, isRunning: boolean): Standing {
  return standing.state === 'running' && !isRunning ? { ...standing, state: 'crashed' } : standing;
}

function matrix(
  plan: PlanRecord,
  seen: readonly Seen[],
  remainingSeconds: number | null,
  nowMs: number,
): Table {
  const repeats = [...new Set(seen.map(({ run }) => run.repeat))].sort((a, b) => a - b);
  const cells = new Map<string, Seen[]>();
  for (const one of seen) {
    const key = JSON.stringify([one.run.tag, one.run.workload]);
    cells.set(key, [...(cells.get(key) ?? []), one]);
  }
  const done = seen.filter(({ standing }) => standing.state === 'done').length;
  const remaining =
    remainingSeconds === null || done === seen.length
      ? ''
      : `, about ${formatSeconds(remainingSeconds)} left`;
  const why = plan.message === null ? '' : `: ${plan.message}`;
  return {
    id: 'plan-status',
    step: null,
    title: `Plan ${plan.name}`,
    note: `${plan.status}${why}; ${done} of ${seen.length} runs are done${remaining}`,
    columns: [
      left('tag'),
      left('workload'),
      ...repeats.map((repeat) => left(`repeat ${repeat}`, `repeat_${repeat}`)),
    ],
    rows: [...cells.values()].map((members) => ({
      cells: [
        text(members[0]?.run.tag ?? ''),
        text(members[0]?.run.workload ?? ''),
        ...repeats.map((repeat) => {
          const one = members.find(({ run }) => run.repeat === repeat);
          return one === undefined ? text('') : stateCell(one.standing, nowMs);
        }),
      ],
    })),
    footnotes: [],
  };
}

function stateCell(standing: Standing, nowMs: number): TableCell {
  const seconds = secondsOf(standing, nowMs);
  const shown = seconds === null ? standing.state : `${standing.state}, ${formatSeconds(seconds)}`;
  return { value: standing.state, text: shown, mark: 'none' };
}

function list(seen: readonly Seen[], nowMs: number, advice: string | null): Table {
  return {
    id: 'plan-runs',
    step: null,
    title: 'Runs',
    note: 'in the order of the plan; attempts: how often it was tried',
    columns: [
      right('run'),
      left('tag'),
      left('workload'),
      right('repeat'),
      left('state'),
      right('attempts'),
      right('time', 'seconds'),
      left('id', 'run_id'),
      left('reason'),
    ],
    rows: seen.map(({ run, standing }) => {
      const seconds = secondsOf(standing, nowMs);
      return {
        cells: [
          number(run.ordinal),
          text(run.tag),
          text(run.workload),
          number(run.repeat),
          text(standing.state),
          number(run.attempts.length),
          seconds === null ? text('') : number(seconds, formatSeconds(seconds)),
          text(standing.attempt?.runId ?? ''),
          text(standing.reason ?? ''),
        ],
      };
    }),
    footnotes: advice === null ? [] : [advice],
  };
}

/** From the start of the attempt to its end, or until now. */
function secondsOf({ attempt, state }: Standing, nowMs: number): number | null {
  if (attempt === null) return null;
  const end = attempt.finishedAt === null ? nowMs : Date.parse(attempt.finishedAt);
  if (attempt.finishedAt === null && state !== 'running') return null;
  return Math.max(0, (end - Date.parse(attempt.startedAt)) / 1000);
}
