import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledStore, ibench } from './filled-store.ts';

test('a chosen table that is empty is named with the reason, on standard error for programs', (t) => {
  const db = filledStore(t, [{ build: 'pg17.9', ips: 1000 }]);
  const table = (...args: string[]) => ibench('table', '--db', db, ...args);
  const nothing =
    'Table comparability is empty: nothing that was recorded differs between the runs.\n';
  assert.equal(table('--table', 'comparability').stdout, nothing);
  const two = table('--table', 'relative', '--table', 'summary').stdout;
  assert.match(two, /^Throughput\n/);
  assert.match(
    two,
    /\n\nTable relative is empty: there is one row, and nothing to compare it with\.\n$/,
  );
  const json = table('--table', 'comparability', '--format', 'json');
  assert.deepEqual([json.stdout, json.stderr], ['[]\n', nothing]);
});
