import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Debt, debtDifferences, debtOf, type StatisticChange } from '../src/index.ts';

const NONE: Debt = {
  live_tuples: 1000,
  dead_tuples: 0,
  dead_share: 0,
  all_visible_share: 1,
  wal_since_redo_bytes: 0,
  dirty_buffers: null,
  oldest_xmin_age: 0,
  vacuums_running: 0,
};

const MB = 1024 * 1024;

function figures(other: Partial<Debt>, base: Partial<Debt> = {}): string[] {
  return debtDifferences({ ...NONE, ...base }, { ...NONE, ...other }).map(({ figure }) => figure);
}

test('a balance is summed over tables, at the border that is asked for', () => {
  const change = (
    source: string,
    object: string,
    name: string,
    [before, after]: [number, number],
  ) => ({ source, object, name, before, after, delta: null }) satisfies StatisticChange;
  const changes = [
    change('pg_stat_user_tables', 'pi1', 'n_live_tup', [100, 60]),
    change('pg_stat_user_tables', 'pi1', 'n_dead_tup', [0, 30]),
    change('pg_stat_user_tables', 'pi2', 'n_live_tup', [100, 90]),
    change('pg_stat_user_tables', 'pi2', 'n_dead_tup', [0, 20]),
    change('relation', 'pi1', 'heap_pages', [10, 10]),
    change('relation', 'pi1', 'all_visible_pages', [10, 5]),
    change('debt', '', 'wal_since_redo_bytes', [7, 8]),
  ];
  const opening = debtOf(changes, 'before');
  assert.deepEqual([opening.live_tuples, opening.dead_share], [200, 0]);
  const closing = debtOf(changes, 'after');
  assert.deepEqual([closing.dead_tuples, closing.dead_share], [50, 0.25]);
  assert.equal(closing.all_visible_share, 0.5);
  assert.equal(closing.wal_since_redo_bytes, 8);
  assert.equal(closing.dirty_buffers, null);
});

test('of an empty table, or one that was never vacuumed, there is no share', () => {
  const { dead_share, all_visible_share } = debtOf([], 'before');
  assert.deepEqual([dead_share, all_visible_share], [null, null]);
});

test('equal debts, and small differences, are none', () => {
  assert.deepEqual(figures({}), []);
  assert.deepEqual(figures({ dead_share: 0.05, all_visible_share: 0.9 }), []);
  assert.deepEqual(figures({ wal_since_redo_bytes: 256 * MB, oldest_xmin_age: 100_000 }), []);
});

test('large ones are named, whichever side has more', () => {
  assert.deepEqual(figures({ dead_share: 0.06 }), ['dead_share']);
  assert.deepEqual(figures({}, { dead_share: 0.06 }), ['dead_share']);
  assert.deepEqual(figures({ all_visible_share: 0.89 }), ['all_visible_share']);
  assert.deepEqual(figures({ vacuums_running: 1 }), ['vacuums_running']);
});

test('amounts must differ in proportion too', () => {
  const wal = (other: number, base: number) =>
    figures({ wal_since_redo_bytes: other * MB }, { wal_since_redo_bytes: base * MB });
  assert.deepEqual(wal(1300, 1000), []);
  assert.deepEqual(wal(1600, 1000), ['wal_since_redo_bytes']);
  assert.deepEqual(wal(257, 0), ['wal_since_redo_bytes']);
});

test('a figure that one side lacks is not compared', () => {
  assert.deepEqual(figures({ dead_share: 1, dirty_buffers: 1_000_000 }, { dead_share: null }), []);
});
