import type { Store } from './open.ts';
import { insertRow, transact } from './write.ts';

/** What a fact of a run is about; each category has a view of its own. */
export type FactCategory = 'host' | 'build' | 'workload' | 'client';

/** One setting of the server under test, as text in the server's own spelling. */
export interface SettingRow {
  readonly name: string;
  /** What the configuration asked for; null: not asked for. */
  readonly requested: string | null;
  /** What the server says it uses; null: not known to this server. */
  readonly actual: string | null;
  readonly unit: string | null;
  /** Where the server has it from, as it says: configuration file, default … */
  readonly source: string | null;
}

/** Keeps named facts of a run; a name that is there already gets the new value. null: looked for, not found. */
export function saveRunFacts(
  store: Store,
  runKey: number,
  category: FactCategory,
  facts: ReadonlyMap<string, string | number | null>,
): void {
  transact(store, () => {
    for (const [name, value] of facts) {
      insertRow(store, 'run_fact', { run_key: runKey, category, name, value }, 'REPLACE');
    }
  });
}

/** Keeps settings of a run; a name that is there already gets the new values. */
export function saveSettings(store: Store, runKey: number, rows: readonly SettingRow[]): void {
  transact(store, () => {
    for (const { name, requested, actual, unit, source } of rows) {
      const row = { run_key: runKey, name, requested, actual, unit, source };
      insertRow(store, 'setting', row, 'REPLACE');
    }
  });
}
