import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Debt, RoleActivity, ServerFigures, ServerRecord } from '@ibench/core';
import { run, step } from '@ibench/core/testing';
import { buildReport, type Table } from '../src/index.ts';

const NO_DEBT: Debt = {
  live_tuples: null,
  dead_tuples: null,
  dead_share: null,
  all_visible_share: null,
  wal_since_redo_bytes: null,
  dirty_buffers: null,
  oldest_xmin_age: null,
  vacuums_running: null,
};

const NO_FIGURES: ServerFigures = {
  checkpoints_timed: null,
  checkpoints_requested: null,
  wal_bytes: null,
  full_page_images: null,
  buffers_checkpointer: null,
  buffers_bgwriter: null,
  buffers_backends: null,
  heap_blocks_read: null,
  heap_blocks_hit: null,
  index_blocks_read: null,
  index_blocks_hit: null,
  temp_files: null,
  temp_bytes: null,
  vacuums: null,
  autovacuums: null,
  analyzes: null,
  autoanalyzes: null,
  live_tuples: null,
  dead_tuples: null,
  dead_share: null,
  table_bytes: null,
  index_bytes: null,
  checkpoint_cycles: null,
  checkpoint_cycle_s: null,
  autovacuum_cycles: null,
  autovacuum_cycle_s: null,
};

function server(
  figures: Partial<ServerFigures> = {},
  more: Partial<Omit<ServerRecord, 'figures'>> = {},
): ServerRecord {
  return {
    figures: { ...NO_FIGURES, ...figures },
    opening: NO_DEBT,
    closing: NO_DEBT,
    sampling: [],
    activity: [],
    ...more,
  };
}

function activity(role: string, cpu: number | null, events: Record<string, number>): RoleActivity {
  const list = Object.entries(events).map(([name, active]) => {
    const [waitType = '', waitEvent = ''] = name.split('/');
    return { waitType, waitEvent: waitEvent || waitType, active };
  });
  return { role, active: list.reduce((sum, { active }) => sum + active, 0), events: list, cpu };
}

function tableOf(tables: readonly Table[], id: string): Table | undefined {
  return tables.find((table) => table.id === id);
}

/** Text by column of the only row, or of the row of a tag. */
function texts(table: Table | undefined, row = 0): Record<string, string> {
  return Object.fromEntries(
    (table?.columns ?? []).map(({ key }, i) => [key, table?.rows[row]?.cells[i]?.text ?? '']),
  );
}

test('what a version does not tell is blank, a zero is a zero', () => {
  const told = server({
    checkpoints_timed: 0,
    dead_share: 0.125,
    heap_blocks_hit: 3,
    heap_blocks_read: 1,
  });
  const tables = buildReport([run('pg12.a', [step('l.i1', { ips: 1 }, { server: told })])]);
  const row = texts(tableOf(tables, 'server'));
  assert.equal(row.checkpoints_timed, '0');
  assert.equal(row.full_page_images, '');
  assert.equal(row.dead_pct, '12.5');
  assert.equal(row.heap_hit_pct, '75.0');
});

test('runs from before the server was asked have no such tables', () => {
  const tables = buildReport([run('pg12.a', [step('l.i1', { ips: 1 })])], { tables: 'all' });
  for (const id of ['server', 'waits', 'debt', 'dead_share', 'sampling']) {
    assert.equal(tableOf(tables, id), undefined, id);
  }
});

test('only the table of all figures comes unasked', () => {
  const cost = { what: 'activity', samples: 4, missed: 1, totalS: 0.01, maxS: 0.004 } as const;
  const told = server(
    { dead_share: 0.5 },
    {
      activity: [activity('delete', 0.9, { CPU: 0.9 })],
      sampling: [{ ...cost, backendCpuS: 0.02 }],
    },
  );
  const runs = [run('pg12.a', [step('l.i1', { ips: 1 }, { server: told })])];
  const extra = ['waits', 'debt', 'dead_share', 'sampling'];
  const ids = (options: Parameters<typeof buildReport>[1]) =>
    buildReport(runs, options)
      .map(({ id }) => id)
      .filter((id) => id === 'server' || extra.includes(id))
      .sort();
  assert.deepEqual(ids({}), ['server']);
  assert.deepEqual(ids({ tables: ['debt'] }), ['debt']);
  assert.deepEqual(ids({ tables: 'all' }), [...extra, 'server'].sort());
  const row = texts(tableOf(buildReport(runs, { tables: ['sampling'] }), 'sampling'));
  assert.deepEqual([row.mean_ms, row.max_ms, row.missed], ['2.50', '4.00', '1']);
});

test('waits are shares of what is active, the largest first, means over repeats', () => {
  const first = server(
    {},
    { activity: [activity('delete', 1, { 'IO/DataFileRead': 0.5, CPU: 1 })] },
  );
  const second = server({}, { activity: [activity('delete', 0.5, { 'IO/DataFileRead': 0.5 })] });
  const runs = [first, second].map((told, i) =>
    run('pg18.a', [step('l.i1', { ips: 1 }, { server: told })], {
      runId: String(i),
      repeat: i + 1,
    }),
  );
  const row = texts(tableOf(buildReport(runs, { tables: ['waits'] }), 'waits'));
  assert.equal(row.active, '1.00');
  assert.equal(row.cpu, '0.750');
  assert.match(row.waits ?? '', /^(CPU 50%, IO\/DataFileRead 50%|IO\/DataFileRead 50%, CPU 50%)$/);
});

test('more CPU than sessions at work is explained, once, and not what chance may do', () => {
  const notes = (cpu: number) => {
    const told = server({}, { activity: [activity('query', cpu, { CPU: 0.2 })] });
    const runs = [run('pg18.a', [step('qr100', { qps: 1 }, { server: told })])];
    return tableOf(buildReport(runs, { tables: ['waits'] }), 'waits')?.footnotes;
  };
  assert.match(`${notes(0.5)}`, /^CPU above active: .* while the server calls the session idle/);
  assert.deepEqual([notes(0.2), notes(0.23)], [[], []]);
});

test('a process that never is at work has no row', () => {
  const told = server(
    {},
    { activity: [activity('walwriter', 0.001, {}), activity('insert', 1, { CPU: 1 })] },
  );
  const runs = [run('pg18.a', [step('l.i1', { ips: 1 }, { server: told })])];
  const table = tableOf(buildReport(runs, { tables: ['waits'] }), 'waits');
  assert.deepEqual(
    table?.rows.map(({ cells }) => cells[0]?.text),
    ['insert'],
  );
});

test('a step that ends within a checkpoint cycle says how long one is, unless it is a short one', () => {
  const told = server({
    checkpoint_cycles: 0.4,
    checkpoint_cycle_s: 300,
    autovacuum_cycles: 2,
    autovacuum_cycle_s: 60,
  });
  const notes = (seconds: number) =>
    tableOf(
      buildReport([run('pg18.a', [step('l.i1', { ips: 1, seconds }, { server: told })])]),
      'server',
    )?.footnotes;
  assert.deepEqual(notes(120), [
    'pg18.a, l.i1: covers 0.40 of a cycle of checkpoints; 300 s would cover one',
  ]);
  assert.deepEqual(notes(4), []);
});

test('steps that began with another debt than the base are named', () => {
  const opening = (dead_share: number) => ({ ...NO_DEBT, dead_share });
  const runs = [0.05, 0.3, 0.06].map((share, i) =>
    run(`pg1${i}.a`, [
      step('l.i1', { ips: 1 }, { server: server({}, { opening: opening(share) }) }),
    ]),
  );
  assert.deepEqual(tableOf(buildReport(runs), 'relative')?.footnotes, [
    'pg11.a, l.i1: began with another debt than the base: share of dead tuples 0.30 against 0.05',
  ]);
});
