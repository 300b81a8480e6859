import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, type ServerReading, type Statistic, serverFigures } from '../src/index.ts';

type Entry = readonly [source: string, object: string, name: string, value: number];

function reading(entries: readonly Entry[], resets: Record<string, string> = {}): ServerReading {
  const statistics = entries.map(
    ([source, object, name, value]): Statistic => ({ source, object, name, value }),
  );
  return { statistics, resets: new Map(Object.entries(resets)) };
}

function delta(before: ServerReading, after: ServerReading): number | null | undefined {
  const changes = changesBetween(before, after);
  assert.equal(changes.length, 1);
  return changes[0]?.delta;
}

const NO_SETTING = (): null => null;

test('a counter has a difference, a state has none', () => {
  const at = (name: string, value: number) =>
    reading([['pg_stat_user_tables', 'pi1', name, value]]);
  assert.equal(delta(at('n_tup_ins', 100), at('n_tup_ins', 350)), 250);
  assert.equal(delta(at('n_tup_ins', 100), at('n_tup_ins', 100)), 0);
  assert.equal(delta(at('n_dead_tup', 100), at('n_dead_tup', 350)), null);
});

test('a counter that was set to zero in between has no difference', () => {
  const at = (value: number, reset: string) =>
    reading([['pg_stat_wal', '', 'wal_fpi', value]], { pg_stat_wal: reset });
  assert.equal(delta(at(100, 'monday'), at(350, 'monday')), 250);
  assert.equal(delta(at(100, 'monday'), at(350, 'tuesday')), null);
  assert.equal(delta(at(100, 'monday'), at(50, 'monday')), null);
});

test('what came during the step counts from zero, what went has no difference', () => {
  const one: Entry = ['pg_stat_user_indexes', 'pi1_pkey', 'idx_scan', 5];
  const made: Entry = ['pg_stat_user_indexes', 'pi1_pdc', 'idx_scan', 7];
  const changes = changesBetween(reading([one]), reading([made]));
  const of = (object: string) => changes.find((change) => change.object === object);
  assert.deepEqual([of('pi1_pdc')?.before, of('pi1_pdc')?.delta], [null, 7]);
  assert.deepEqual([of('pi1_pkey')?.after, of('pi1_pkey')?.delta], [null, null]);
  // Of a source that could not be read before it is not known what it said.
  assert.equal(delta(reading([]), reading([made])), null);
});

test('checkpoints and buffers have one name, wherever a version keeps them', () => {
  const zero = (entries: readonly Entry[]): Entry[] => entries.map(([a, b, c]) => [a, b, c, 0]);
  const figures = (entries: readonly Entry[]) => {
    const changes = changesBetween(reading(zero(entries)), reading(entries));
    return serverFigures(changes, 10, (name) => (name === 'block_size' ? 8192 : null));
  };
  const bgwriter = (name: string, value: number): Entry => ['pg_stat_bgwriter', '', name, value];
  const old = figures([
    bgwriter('checkpoints_timed', 1),
    bgwriter('checkpoints_req', 2),
    bgwriter('buffers_checkpoint', 3),
    bgwriter('buffers_clean', 4),
    bgwriter('buffers_backend', 5),
  ]);
  const checkpointer = (name: string, value: number): Entry => [
    'pg_stat_checkpointer',
    '',
    name,
    value,
  ];
  const io = (object: string, name: string, value: number): Entry => [
    'pg_stat_io',
    object,
    name,
    value,
  ];
  const newer = [
    checkpointer('num_timed', 1),
    checkpointer('num_requested', 2),
    checkpointer('buffers_written', 3),
    bgwriter('buffers_clean', 4),
  ];
  const pg17 = figures([
    ...newer,
    io('client backend/relation/normal', 'writes', 2),
    io('autovacuum worker/relation/vacuum', 'writes', 1),
    io('client backend/relation/bulkwrite', 'extends', 2),
    io('checkpointer/relation/normal', 'writes', 99),
    io('background writer/relation/normal', 'writes', 99),
  ]);
  const pg18 = figures([
    ...newer,
    io('client backend/relation/normal', 'writes', 99),
    io('client backend/relation/normal', 'write_bytes', 3 * 8192),
    io('client backend/relation/normal', 'extend_bytes', 2 * 8192),
    io('client backend/wal/normal', 'write_bytes', 99 * 8192),
    io('checkpointer/relation/normal', 'write_bytes', 99 * 8192),
  ]);
  for (const one of [old, pg17, pg18]) {
    assert.deepEqual(
      [
        one.checkpoints_timed,
        one.checkpoints_requested,
        one.buffers_checkpointer,
        one.buffers_bgwriter,
        one.buffers_backends,
      ],
      [1, 2, 3, 4, 5],
    );
  }
  assert.equal(old.full_page_images, null);
});

test('what a version does not tell is absent, not zero', () => {
  const figures = serverFigures([], 10, NO_SETTING);
  assert.deepEqual([...new Set(Object.values(figures))], [null]);
});

test('dead tuples are a share of all, over all tables, at the end', () => {
  const table = (name: string, live: number, dead: number): Entry[] => [
    ['pg_stat_user_tables', name, 'n_live_tup', live],
    ['pg_stat_user_tables', name, 'n_dead_tup', dead],
  ];
  const before = reading([...table('pi1', 10, 0), ...table('pi2', 10, 0)]);
  const after = reading([...table('pi1', 60, 20), ...table('pi2', 15, 5)]);
  const figures = serverFigures(changesBetween(before, after), 10, NO_SETTING);
  assert.deepEqual([figures.live_tuples, figures.dead_tuples], [75, 25]);
  assert.equal(figures.dead_share, 0.25);
});
