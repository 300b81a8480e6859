import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autovacuumCycle, checkpointCycle } from '../src/server/cycles.ts';

const MB = 1024 * 1024;

const SETTINGS = {
  checkpoint_timeout: 300,
  max_wal_size: 1024,
  wal_segment_size: 16 * MB,
  checkpoint_completion_target: 0.9,
  autovacuum: 1,
  autovacuum_naptime: 60,
  autovacuum_vacuum_threshold: 50,
  autovacuum_vacuum_scale_factor: 0.2,
};

function setting(changes: Record<string, number> = {}): (name: string) => number | null {
  const all: Record<string, number> = { ...SETTINGS, ...changes };
  return (name) => all[name] ?? null;
}

test('with little WAL a cycle is checkpoint_timeout long', () => {
  assert.deepEqual(checkpointCycle(120, 0, setting()), { cycles: 0.4, lengthS: 300 });
});

test('with much WAL a checkpoint comes after max_wal_size / (1 + completion target), in segments', () => {
  // 64 segments / 1.9 = 33 whole ones of 16 MB.
  const cycle = checkpointCycle(120, 3 * 33 * 16 * MB, setting());
  assert.deepEqual(cycle, { cycles: 3, lengthS: 40 });
});

test('a WAL limit below a segment is one segment', () => {
  const cycle = checkpointCycle(10, 32 * MB, setting({ max_wal_size: 2 }));
  assert.equal(cycle?.cycles, 2);
});

test('without its settings or the WAL nothing is said of checkpoints', () => {
  assert.equal(checkpointCycle(10, null, setting()), null);
  assert.equal(
    checkpointCycle(10, 1, () => null),
    null,
  );
});

test('a table is due for vacuum after threshold + scale factor × rows dead tuples', () => {
  const table = { rows: 1000, dead: 500, inserted: 500 };
  assert.deepEqual(autovacuumCycle(600, [table], setting()), { cycles: 2, lengthS: 300 });
});

test('the table with the fewest cycles decides, and naptime is the most there can be', () => {
  const busy = { rows: 1000, dead: 250_000, inserted: 0 };
  assert.deepEqual(autovacuumCycle(120, [busy], setting()), { cycles: 2, lengthS: 60 });
  const calm = { rows: 1000, dead: 125, inserted: 0 };
  assert.deepEqual(autovacuumCycle(120, [busy, calm], setting()), { cycles: 0.5, lengthS: 240 });
});

test('inserts alone make a table due where the version vacuums for them', () => {
  const table = { rows: 0, dead: 0, inserted: 500 };
  assert.equal(autovacuumCycle(600, [table], setting()), null);
  const since13 = {
    autovacuum_vacuum_insert_threshold: 1000,
    autovacuum_vacuum_insert_scale_factor: 0.2,
  };
  assert.equal(autovacuumCycle(600, [table], setting(since13))?.cycles, 0.5);
  const off = { ...since13, autovacuum_vacuum_insert_threshold: -1 };
  assert.equal(autovacuumCycle(600, [table], setting(off)), null);
});

test('the bound of newer versions on dead tuples counts, unless it is -1', () => {
  const table = { rows: 1_000_000, dead: 50_000, inserted: 0 };
  const most = (value: number) => setting({ autovacuum_vacuum_max_threshold: value });
  assert.equal(autovacuumCycle(600, [table], most(100_000))?.cycles, 0.5);
  assert.equal(autovacuumCycle(600, [table], most(-1))?.cycles, 50_000 / 200_050);
});

test('with autovacuum off there are no cycles', () => {
  const table = { rows: 1000, dead: 500, inserted: 0 };
  assert.equal(autovacuumCycle(600, [table], setting({ autovacuum: 0 })), null);
  assert.equal(autovacuumCycle(600, [], setting()), null);
});
