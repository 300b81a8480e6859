import {
  counter,
  RING_SECONDS,
  SECOND_FIELDS,
  type SecondRow,
  type StatementKind,
  type WorkerJob,
} from '@ibench/core';
import type { StepMemoryFile } from '@ibench/host';

/** An operation can be recorded this long after the second in which it completed has ended. */
const LATE_SECONDS = 3;

/**
 * The time of a statement that waited at the deadline is recorded in the second of the deadline when the
 * server has cancelled it, or the step is given up: seconds that are read again when the workers have ended.
 */
const LATE_AT_END_SECONDS = 60;

/** The workers of one client that execute the same kind of statement; their seconds are added up. */
interface Group {
  readonly client: number;
  readonly kind: StatementKind;
  readonly jobs: number[];
  readonly seconds: SecondRow[];
}

/** Reads the workers' seconds out of shared memory while they work, and keeps them. */
export class SecondsReader {
  readonly #memory: StepMemoryFile;
  readonly #groups: readonly Group[];

  constructor(memory: StepMemoryFile, jobs: readonly WorkerJob[]) {
    this.#memory = memory;
    const groups = new Map<string, Group>();
    jobs.forEach(({ client, role }, index) => {
      if (role === 'pace') return;
      const key = `${role}/${client}`;
      const group = groups.get(key) ?? { client, kind: role, jobs: [], seconds: [] };
      group.jobs.push(index);
      groups.set(key, group);
    });
    this.#groups = [...groups.values()];
  }

  /**
   * Rows that are new or have changed since the last call, for all seconds that are over: the seconds
   * without operations too.
   *
   * @param elapsedS seconds since the step started
   * @param isEnd have the workers ended?
   */
  read(elapsedS: number, isEnd: boolean): SecondRow[] {
    const late = isEnd ? LATE_AT_END_SECONDS : LATE_SECONDS;
    return this.#groups.flatMap((group) => this.#readGroup(group, Math.floor(elapsedS), late));
  }

  /** Rows inserted or deleted, or queries, in each whole second, of one client or over all. */
  perSecond(kind: StatementKind, seconds: number, client: number | null = null): number[] {
    const sums = new Array<number>(Math.floor(seconds)).fill(0);
    const groups = this.#groups.filter(
      (one) => one.kind === kind && (client === null || one.client === client),
    );
    for (const group of groups) {
      for (const row of group.seconds.slice(0, sums.length)) {
        sums[row.second] = (sums[row.second] as number) + (kind === 'query' ? row.ops : row.rows);
      }
    }
    return sums;
  }

  /** What the workers have done so far: rows inserted, rows deleted, queries. */
  totals(): Record<StatementKind, number> {
    const totals = { insert: 0, delete: 0, query: 0 };
    for (const { kind, jobs } of this.#groups) {
      for (const job of jobs) {
        totals[kind] += counter(this.#memory.read(job), kind === 'query' ? 'operations' : 'rows');
      }
    }
    return totals;
  }

  /**
   * The workers whose operations, summed over their seconds, are not what they counted: recording lost
   * something. To be asked when the step is over and all seconds have been read.
   */
  faults(): string[] {
    return this.#groups.flatMap(({ client, kind, jobs, seconds }) => {
      const summed = seconds.reduce((sum, row) => sum + row.ops, 0);
      const counted = jobs.reduce(
        (sum, job) => sum + counter(this.#memory.read(job), 'operations'),
        0,
      );
      if (summed === counted) return [];
      return [`client ${client}: ${counted} ${kind} statements, but ${summed} in its seconds`];
    });
  }

  #readGroup({ client, kind, jobs, seconds }: Group, over: number, late: number): SecondRow[] {
    const from = Math.max(0, seconds.length - late);
    const rows = Array.from({ length: Math.max(0, over - from) }, (_, i) => ({
      client,
      kind,
      second: from + i,
      ops: 0,
      rows: 0,
      maxUs: 0,
    }));
    for (const job of jobs) {
      const { ring } = this.#memory.read(job);
      for (const row of rows) addSlot(row, ring);
    }
    const changed = rows.filter((row) => {
      const seen = seconds[row.second];
      return seen === undefined || seen.ops !== row.ops || seen.maxUs !== row.maxUs;
    });
    for (const row of changed) seconds[row.second] = row;
    return changed;
  }
}

/** Adds what one worker did in a second; a slot that holds another second says it did nothing. */
function addSlot(
  row: { second: number; ops: number; rows: number; maxUs: number },
  ring: Uint32Array,
): void {
  const slot = (row.second % RING_SECONDS) * SECOND_FIELDS;
  if (ring[slot] !== row.second + 1) return;
  row.ops += ring[slot + 1] as number;
  row.rows += ring[slot + 2] as number;
  row.maxUs = Math.max(row.maxUs, ring[slot + 3] as number);
}
