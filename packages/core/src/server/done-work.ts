import type { SeriesValue } from './activity.ts';

/** What the server has done by itself so far. */
export interface DoneWork {
  /** Where the last checkpoint that is done is in the WAL: another place after each. null: not for this user to see. */
  readonly checkpoint: string | null;
  /** Automatic vacuums and analyzes of tables; null: not told without work. */
  readonly autovacuums: number | null;
}

/** What was done between two samples, be it that neither saw it under way. */
export function doneBetween(before: DoneWork, after: DoneWork): SeriesValue[] {
  const values: SeriesValue[] = [];
  const isKnown = before.checkpoint !== null && after.checkpoint !== null;
  if (isKnown && before.checkpoint !== after.checkpoint) {
    values.push({ name: 'checkpoint_done', object: '', value: 1 });
  }
  const autovacuums = (after.autovacuums ?? Number.NaN) - (before.autovacuums ?? Number.NaN);
  if (autovacuums > 0) values.push({ name: 'autovacuums_done', object: '', value: autovacuums });
  return values;
}
