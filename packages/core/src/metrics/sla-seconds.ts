import { SLA_SHARE } from './sla.ts';

/** What one client's background inserts were asked to do, and what they did in each second. */
export interface BackgroundSeconds {
  readonly client: number;
  /** Rows per second. */
  readonly targetRate: number;
  /** Rows of one statement. */
  readonly rowsPerCommit: number;
  /** Rows inserted in each whole second until the deadline. */
  readonly rows: readonly number[];
  /** Rows inserted in all, and the length of the step, seconds. */
  readonly inserted: number;
  readonly seconds: number;
}

/** How a step kept its target rate, second by second. */
export interface SlaFigures {
  /** null: all clients together. */
  readonly client: number | null;
  /** Inserts per second / those asked for, over the whole step: what the SLA is about. */
  readonly average: number;
  /** Share of the seconds in which less than 95% of what was due in them was inserted, 0..1. */
  readonly belowShare: number;
  /** Most such seconds in a row. */
  readonly longestDeficitS: number;
  /** Most rows that were due and not inserted at the end of a second. */
  readonly largestBacklogRows: number;
  /** Of 10 seconds in a row those in which the least was inserted of what was due in them, 0..; null in a shorter step. */
  readonly worstWindowShare: number | null;
}

/**
 * The four numbers of the SLA for all clients together, then for each. An average alone hides a stall that
 * was worked off later. None where there are no whole seconds.
 */
export function slaFigures(clients: readonly BackgroundSeconds[]): SlaFigures[] {
  const judged = clients.filter(({ rows }) => rows.length > 0);
  if (judged.length === 0) return [];
  const schedules = judged.map(scheduleOf);
  return [
    { client: null, average: average(judged), ...figures(addUp(schedules)) },
    ...judged.map((one, i) => ({
      client: one.client,
      average: average([one]),
      ...figures(schedules[i]!),
    })),
  ];
}

function average(clients: readonly BackgroundSeconds[]): number {
  const inserted = clients.reduce((sum, one) => sum + one.inserted, 0);
  return inserted / clients.reduce((sum, one) => sum + one.targetRate * one.seconds, 0);
}

/** Rows due and rows done in each second. */
interface Schedule {
  readonly due: readonly number[];
  readonly done: readonly number[];
}

/** The statements that are due in second s are those of number k with s ≤ k × rows / rate < s + 1 (SPEC 3.5). */
function scheduleOf({ targetRate, rowsPerCommit, rows }: BackgroundSeconds): Schedule {
  const before = (second: number): number => Math.ceil((second * targetRate) / rowsPerCommit);
  const due = rows.map((_, second) => (before(second + 1) - before(second)) * rowsPerCommit);
  return { due, done: rows };
}

function addUp(schedules: readonly Schedule[]): Schedule {
  const seconds = schedules.reduce((most, { due }) => Math.max(most, due.length), 0);
  const sum = (part: keyof Schedule): number[] =>
    Array.from({ length: seconds }, (_, second) =>
      schedules.reduce((rows, schedule) => rows + (schedule[part][second] ?? 0), 0),
    );
  return { due: sum('due'), done: sum('done') };
}

function figures({ due, done }: Schedule): Omit<SlaFigures, 'client' | 'average'> {
  let [asked, inserted, below, inARow] = [0, 0, 0, 0];
  let [longest, backlog] = [0, 0];
  due.forEach((rows, second) => {
    asked += rows;
    inserted += done[second]!;
    const isBelow = done[second]! < SLA_SHARE * rows;
    below += isBelow ? 1 : 0;
    inARow = isBelow ? inARow + 1 : 0;
    longest = Math.max(longest, inARow);
    backlog = Math.max(backlog, asked - inserted);
  });
  return {
    belowShare: below / due.length,
    longestDeficitS: longest,
    largestBacklogRows: backlog,
    worstWindowShare: worstWindow({ due, done }),
  };
}

/** Seconds of a window: long enough that a pacing rate is many statements, short enough that a stall shows. */
const WINDOW_S = 10;

function worstWindow({ due, done }: Schedule): number | null {
  const windows = Array.from({ length: Math.max(0, due.length - WINDOW_S + 1) }, (_, from) => {
    const sum = (rows: readonly number[]): number =>
      rows.slice(from, from + WINDOW_S).reduce((total, one) => total + one, 0);
    return { asked: sum(due), inserted: sum(done) };
  });
  const shares = windows
    .filter(({ asked }) => asked > 0)
    .map(({ asked, inserted }) => inserted / asked);
  return shares.length === 0 ? null : shares.reduce((a, b) => Math.min(a, b));
}
