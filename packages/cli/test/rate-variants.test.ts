import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEP_NAMES } from '@ibench/core';
import Database from 'better-sqlite3';
import { SHARED_HOST } from './support.ts';

/** Whole runs of unusual workloads through the program, rows that are no multiple of anything. */
const IBENCH = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const ROWS = 20_050;
const SIZES = {
  rows: ROWS,
  l_i1_rows: 1030,
  l_i2_rows: 503,
  read_write_seconds: 1,
  settle_seconds: 0,
};
const LOG_EVERYTHING = `log_statement = 'mod'\nlog_line_prefix = '%n %a '\n`;

type Row = Readonly<Record<string, string | number | null>>;

interface Run {
  all(sql: string): Row[];
  serverLog(): string[];
  remove(): void;
}

/** Runs the program with these parameters; fails with its words unless all went well. */
function run(parameters: Readonly<Record<string, string | number | boolean>>): Run {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-variants-'));
  const config = path.join(directory, 'log.conf');
  fs.writeFileSync(config, LOG_EVERYTHING);
  const settings = Object.entries({ ...SIZES, ...parameters }).flatMap(([name, value]) => [
    '--set',
    `${name}=${value}`,
  ]);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      IBENCH,
      'run',
      ...SHARED_HOST,
      '--preset',
      'tiny',
      '--runs-dir',
      directory,
      '--config',
      config,
      ...settings,
    ],
    { encoding: 'utf8' },
  );
  const remove = () => fs.rmSync(directory, { recursive: true, force: true });
  if (status !== 0) {
    remove();
    assert.fail(stderr);
  }
  const db = new Database(path.join(directory, 'ibench.sqlite'), { readonly: true });
  const all = (sql: string): Row[] => db.prepare(sql).all() as Row[];
  return {
    all,
    serverLog: () => {
      const [row] = all('select directory from runs');
      return fs.readFileSync(path.join(String(row?.directory), 'server.log'), 'utf8').split('\n');
    },
    remove: () => {
      db.close();
      remove();
    },
  };
}

function assertAllDone({ all }: Run): void {
  assert.deepEqual(
    all('select step, status from steps order by seq'),
    STEP_NAMES.map((step) => ({ step, status: 'done' })),
  );
}

function rowsAfter({ all }: Run, step: string): Row[] {
  return all(`select table_name, rows_after from table_rows where step = '${step}' order by 1`);
}

describe('two clients with two queriers each, partitions and two indexes', () => {
  let done: Run;
  before(() => {
    done = run({ clients: 2, queriers: 2, partitions: 4, secondary_indexes: 2 });
  });
  after(() => done?.remove());

  it('run to the end', () => assertAllDone(done));

  it('leave every table with the rows it had after l.i0', () => {
    const expected = ['pi1', 'pi2'].map((table_name) => ({ table_name, rows_after: ROWS }));
    for (const step of STEP_NAMES.slice(0, 5)) assert.deepEqual(rowsAfter(done, step), expected);
    const [final] = done.all(`select sum(rows_after) as n from table_rows where step = 'qp1000'`);
    const [changed] = done.all('select sum(rows_inserted - rows_deleted) as n from metrics');
    assert.equal(final?.n, changed?.n);
    for (const row of rowsAfter(done, 'qp1000')) {
      assert.ok(Math.abs(Number(row.rows_after) - ROWS) <= 6 * 8 * 50);
    }
  });

  it('insert and delete what l.i1 and l.i2 say, the short last statement included', () => {
    const rows = done.all(
      `select step, client, role, rows, operations from workers
       where step in ('l.i1', 'l.i2') and role in ('insert', 'delete')`,
    );
    assert.equal(rows.length, 8);
    for (const { step, rows: n, operations } of rows) {
      assert.deepEqual([n, operations], step === 'l.i1' ? [1030, 21] : [503, 101]);
    }
  });

  it('query with four processes', () => {
    const rows = done.all(
      `select client, count(*) as n, min(operations) as least from workers
       where step = 'qr100' and role = 'query' group by client`,
    );
    assert.deepEqual(
      rows.map(({ client, n }) => [client, n]),
      [
        [1, 2],
        [2, 2],
      ],
    );
    for (const { least } of rows) assert.ok(Number(least) > 0);
  });

  it('have partitions and both indexes built after the load and before anything is deleted', () => {
    const log = done.serverLog();
    const places = (pattern: RegExp) => log.flatMap((line, i) => (pattern.test(line) ? [i] : []));
    const indexes = places(/maintenance\S* LOG: {2}statement: create index /);
    assert.equal(indexes.length, 4);
    assert.equal(places(/create table pi1_p\d partition of pi1 /).length, 4);
    const inserts = places(/insert\/\d LOG: {2}statement: insert into pi/);
    const loading = inserts.filter((i) => i < (indexes[0] as number));
    assert.equal(loading.length, 2 * Math.ceil(ROWS / 100));
    const next = inserts[loading.length] as number;
    assert.ok(Math.max(...indexes) < Math.min(next, ...places(/statement: delete from pi/)));
  });
});

describe('three clients on one shared table without deletes and indexes, with prepared inserts', () => {
  let done: Run;
  before(() => {
    const shared = { clients: 3, tables: 'shared', deletes: false, secondary_indexes: 0 };
    done = run({ ...shared, insert_method: 'prepared' });
  });
  after(() => done?.remove());

  it('run to the end', () => assertAllDone(done));

  it('load X, Y and Z rows together and then as many as the rate asks for', () => {
    let rows = 0;
    for (const step of STEP_NAMES) {
      const [row] = done.all(`select rows_inserted as n from metrics where step = '${step}'`);
      rows += Number(row?.n);
      assert.deepEqual(rowsAfter(done, step), [{ table_name: 'pi1', rows_after: rows }], step);
      if (step === 'l.i0') assert.equal(rows, ROWS);
      if (step === 'settle') assert.equal(rows, ROWS + 1030 + 503);
    }
    assert.ok(rows > ROWS + 1030 + 503);
  });

  it('have no deleter, and no rate of deletes', () => {
    assert.deepEqual(done.all(`select * from workers where role = 'delete'`), []);
    assert.deepEqual(done.all('select distinct dps from metrics'), [{ dps: null }]);
  });

  it('warn that range queries have no index to use', () => {
    const rows = done.all(`select text from warnings where text like '%not an index-only scan'`);
    assert.equal(rows.length, 3 * 3);
  });

  it('create no index', () => {
    assert.ok(!done.serverLog().some((line) => /create index/i.test(line)));
  });
});
