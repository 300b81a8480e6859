/** One figure that the server tells of itself, by the view it comes from and the view's own name for it. */
export interface Statistic {
  /** Name of a statistics view, or of a group of figures of ours: `wal`, `relation`, `debt`. */
  readonly source: string;
  /** What in that view it is about: a table, an index, a kind of I/O; empty: the server or database. */
  readonly object: string;
  readonly name: string;
  readonly value: number;
}

/** All figures of one moment. What this version does not have, or this user may not see, is not in it. */
export interface ServerReading {
  readonly statistics: readonly Statistic[];
  /** When the counters of a source were last set to zero, as the server words it. */
  readonly resets: ReadonlyMap<string, string>;
}

/** One figure at both borders of a step; null: not there at that border. */
export interface StatisticChange {
  readonly source: string;
  readonly object: string;
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  /** after − before of a counter; null: it is no counter, or was set to zero in between. */
  readonly delta: number | null;
}

/** Figures that say how things are, not how often something happened, by source. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  pg_stat_database: ['numbackends'],
  pg_stat_user_tables: ['n_live_tup', 'n_dead_tup', 'n_mod_since_analyze', 'n_ins_since_vacuum'],
  pg_stat_io: ['op_bytes'],
};

/** Sources of ours whose figures are all states. */
const STATE_SOURCES: readonly string[] = ['relation', 'debt'];

/**
 * What changed between two readings. A counter that only the second has (a table that was made, a kind of
 * I/O that first happened) counts from zero; one that fell, or whose source was reset, has no delta.
 */
export function changesBetween(before: ServerReading, after: ServerReading): StatisticChange[] {
  const was = new Map(before.statistics.map((one) => [keyOf(one), one]));
  const is = new Map(after.statistics.map((one) => [keyOf(one), one]));
  const knownBefore = new Set(before.statistics.map(({ source }) => source));
  return [...new Map([...was, ...is])].map(([key, { source, object, name }]) => {
    const first = was.get(key)?.value ?? null;
    const last = is.get(key)?.value ?? null;
    const isCounter = !STATE_SOURCES.includes(source) && !STATES[source]?.includes(name);
    const isReset = before.resets.get(source) !== after.resets.get(source);
    const start = first ?? (knownBefore.has(source) ? 0 : null);
    const isCounted = isCounter && !isReset && start !== null && last !== null && last >= start;
    return {
      source,
      object,
      name,
      before: first,
      after: last,
      delta: isCounted ? last - start : null,
    };
  });
}

function keyOf({ source, object, name }: Statistic): string {
  return `${source}\t${object}\t${name}`;
}

/** Adds up a figure over the objects of its source; null where none has it. */
export function sumOf(
  changes: readonly StatisticChange[],
  field: 'before' | 'after' | 'delta',
  [source, name]: readonly [source: string, name: string],
): number | null {
  const values = changes
    .filter((change) => change.source === source && change.name === name)
    .map((change) => change[field])
    .filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}
