import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRun,
  loadDifferences,
  type Store,
  saveRunFacts,
  saveSettings,
} from '../src/index.ts';
import { newRun, temporaryStore } from './sample.ts';

/** A run of a repeat with facts about its host, and settings in units of 8kB. */
function addRun(
  store: Store,
  repeat: number,
  host: Record<string, string | null>,
  settings: Record<string, string>,
): void {
  const key = createRun(store, newRun({ runId: `r${repeat}`, seed: 7 }));
  saveRunFacts(store, key, 'host', new Map(Object.entries(host)));
  const row = { requested: null, unit: '8kB', source: 'default' };
  saveSettings(
    store,
    key,
    Object.entries(settings).map(([name, actual]) => ({ name, actual, ...row })),
  );
}

test('only what differs is loaded, with the value of every run', (t) => {
  const store = temporaryStore(t);
  addRun(
    store,
    1,
    { kernel: '6.1', cpu: 'x', governor: null },
    { shared_buffers: '128', same: '1' },
  );
  addRun(
    store,
    2,
    { kernel: '6.12', cpu: 'x', governor: null, new_fact: 'y' },
    { shared_buffers: '256', same: '1' },
  );
  addRun(
    store,
    3,
    { kernel: '6.1', cpu: 'z', governor: null },
    { shared_buffers: '128', same: '1', added: '2' },
  );
  const found = loadDifferences(store, ['r1', 'r2', 'r3']);
  assert.deepEqual(
    found.map(({ area, name, byRun }) => [
      `${area} ${name}`,
      Object.fromEntries([...byRun].map(([runId, { value }]) => [runId, value])),
    ]),
    [
      ['host cpu', { r1: 'x', r2: 'x', r3: 'z' }],
      ['host kernel', { r1: '6.1', r2: '6.12', r3: '6.1' }],
      ['setting added', { r3: '16kB' }],
      ['setting shared_buffers', { r1: '1MB', r2: '2MB', r3: '1MB' }],
    ],
  );
  assert.deepEqual(loadDifferences(store, ['r1']), []);
});

test('a fact that was looked for and not found differs from one that was found', (t) => {
  const store = temporaryStore(t);
  addRun(store, 1, { governor: null }, {});
  addRun(store, 2, { governor: 'performance' }, {});
  const [governor] = loadDifferences(store, ['r1', 'r2']);
  assert.equal(governor?.byRun.get('r1')?.value, null);
  assert.equal(governor?.byRun.get('r2')?.value, 'performance');
});

test('seed, version of the tool and checksum of the config are compared; who asked for a setting is kept', (t) => {
  const store = temporaryStore(t);
  const row = { name: 'fsync', unit: null };
  const first = createRun(store, newRun({ seed: 1 }));
  saveSettings(store, first, [{ ...row, actual: 'on', requested: null, source: 'default' }]);
  const second = createRun(store, newRun({ runId: 'r2', seed: 2, toolVersion: '9' }));
  saveSettings(store, second, [
    { ...row, actual: 'off', requested: 'off', source: 'configuration file' },
  ]);
  const found = loadDifferences(store, ['r1', 'r2']);
  assert.deepEqual(
    found.map(({ name }) => name),
    ['seed', 'tool_version', 'fsync'],
  );
  assert.deepEqual(Object.fromEntries(found[2]!.byRun), {
    r1: { value: 'on', requested: false, isDefault: true },
    r2: { value: 'off', requested: true, isDefault: false },
  });
});

test('of forty runs with four hundred settings only the one that differs crosses', (t) => {
  const store = temporaryStore(t);
  const ids = Array.from({ length: 40 }, (_, i) => `r${i + 1}`);
  for (const [i] of ids.entries()) {
    const settings = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`s${n}`, '1']));
    addRun(store, i + 1, { cpu: 'x' }, { ...settings, s7: i === 20 ? '2' : '1' });
  }
  const found = loadDifferences(store, ids);
  assert.deepEqual(
    found.map(({ name, byRun }) => [name, byRun.size]),
    [['s7', 40]],
  );
});
