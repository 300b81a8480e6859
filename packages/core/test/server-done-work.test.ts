import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doneBetween } from '../src/server/index.ts';

const BEFORE = { checkpoint: '0/1000', autovacuums: 4 };

test('a checkpoint and autovacuums that are done between two samples are told, and nothing else is', () => {
  assert.deepEqual(doneBetween(BEFORE, { checkpoint: '0/2000', autovacuums: 6 }), [
    { name: 'checkpoint_done', object: '', value: 1 },
    { name: 'autovacuums_done', object: '', value: 2 },
  ]);
  assert.deepEqual(doneBetween(BEFORE, BEFORE), []);
});

test('what a server does not tell, and counters that fell, are nothing done', () => {
  const untold = { checkpoint: null, autovacuums: null };
  assert.deepEqual(doneBetween(untold, BEFORE), []);
  assert.deepEqual(doneBetween(BEFORE, untold), []);
  assert.deepEqual(doneBetween(BEFORE, { ...BEFORE, autovacuums: 1 }), []);
});
