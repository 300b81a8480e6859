import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PUBLISHED_COLUMNS, STEP_NAMES } from '@ibench/core';
import Database from 'better-sqlite3';
import { SHARED_HOST } from './support.ts';

/** The whole tool as a user has it: one run of the tiny preset through the program, then its tables. */
const IBENCH = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const runs = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench test '));

function ibench(...args: string[]) {
  return spawnSync(process.execPath, [IBENCH, ...args], { encoding: 'utf8', cwd: os.tmpdir() });
}

type Row = Record<string, number | string | null>;

describe('a run of the tiny preset', () => {
  let result: ReturnType<typeof ibench>;
  let db: Database.Database;
  const all = (sql: string): Row[] => db.prepare(sql).all() as Row[];
  const directory = (): string => String(all('select directory from runs')[0]?.directory);

  before(() => {
    result = ibench(
      'run',
      ...SHARED_HOST,
      '--preset',
      'tiny',
      '--runs-dir',
      runs,
      '--tag',
      'a b|c',
    );
    assert.equal(result.status, 0, result.stderr);
    db = new Database(path.join(runs, 'ibench.sqlite'), { readonly: true });
  });
  after(() => {
    db?.close();
    fs.rmSync(runs, { recursive: true, force: true });
  });

  it('runs all steps in order and marks them done', () => {
    const steps = all('select step, status from metrics order by seq');
    assert.deepEqual(
      steps,
      STEP_NAMES.map((step) => ({ step, status: 'done' })),
    );
    assert.deepEqual(all('select status, tag from runs'), [{ status: 'done', tag: 'a b|c' }]);
  });

  it('leaves as many rows in the table after every step as before it', () => {
    const rows = all('select step, rows_before, rows_after from table_rows');
    assert.equal(rows.length, STEP_NAMES.length);
    for (const row of rows) {
      const expected = row.step === 'l.i0' ? 0 : 500_000;
      assert.equal(row.rows_before, expected, `before ${row.step}`);
      assert.equal(row.rows_after, 500_000, `after ${row.step}`);
    }
  });

  it('deletes as many rows as it inserts', () => {
    const rows = all(
      `select step, rows_inserted, rows_deleted from metrics where step like 'q%' or step in ('l.i1', 'l.i2')`,
    );
    assert.equal(rows.length, 8);
    for (const row of rows) assert.equal(row.rows_deleted, row.rows_inserted, String(row.step));
  });

  it('inserts what the steps say: X, Y and Z rows, and the rate in the background', () => {
    const inserted = Object.fromEntries(
      all('select step, rows_inserted as n from metrics').map((row) => [row.step, row.n]),
    );
    assert.equal(inserted['l.i0'], 500_000);
    assert.equal(inserted['l.i1'], 20_000);
    assert.equal(inserted['l.i2'], 4_000);
    for (const row of all(`select step, target_ips, sla_ok from metrics where step like 'q%'`)) {
      const target = 4 * Number(row.target_ips);
      assert.ok(Math.abs(Number(inserted[String(row.step)]) - target) <= 50, String(row.step));
      assert.equal(row.sla_ok, 1);
    }
  });

  it('fetches ten rows with a query', () => {
    const rows = all(`select step, rows_per_query from metrics where step like 'q%'`);
    assert.equal(rows.length, 6);
    for (const row of rows) {
      assert.ok(
        Math.abs(Number(row.rows_per_query) - 10) <= 0.1,
        `${row.step}: ${row.rows_per_query}`,
      );
    }
  });

  it('plans the range queries as index-only scans', () => {
    const plans = all(`select statement, plan from query_plans where step like 'qr%'`);
    assert.equal(plans.length, 9);
    for (const { plan } of plans) assert.match(String(plan), /Index Only Scan/);
    assert.deepEqual(all(`select * from warnings where text like '%index-only%'`), []);
  });

  it('has an amount for every second of every client, which add up to the totals', () => {
    const sums = all(
      `select m.step, m.rows_inserted, m.rows_deleted, m.queries,
         (select sum(rows) from per_second p where p.run_id = m.run_id and p.step = m.step and kind = 'insert') as i,
         (select sum(rows) from per_second p where p.run_id = m.run_id and p.step = m.step and kind = 'delete') as d,
         (select sum(ops) from per_second p where p.run_id = m.run_id and p.step = m.step and kind = 'query') as q
       from metrics m`,
    );
    for (const row of sums) {
      assert.equal(row.i ?? 0, row.rows_inserted, String(row.step));
      assert.equal(row.d ?? 0, row.rows_deleted, String(row.step));
      assert.equal(row.q ?? 0, row.queries, String(row.step));
    }
    const gaps = all(
      `select step, kind, max(second) + 1 - count(*) as missing from per_second group by step, client, kind`,
    );
    assert.ok(gaps.length > 0);
    assert.deepEqual(
      gaps.filter((row) => row.missing !== 0),
      [],
    );
  });

  it('counts response times once in every histogram', () => {
    const rows = all(
      `select p.step, p.kind, p.clock, p.count,
         (select sum(r.count) from response_times r
          where r.step = p.step and r.kind = p.kind and r.clock = p.clock) as buckets
       from response_percentiles p where p.client is null`,
    );
    assert.ok(rows.length >= 3 + 6 * 5);
    for (const row of rows) assert.equal(row.buckets, row.count, JSON.stringify(row));
    const ordered = all(
      'select count(*) as n from response_percentiles where not (p50 <= p99 and p99 <= p9999 and p9999 <= max_us)',
    );
    assert.equal(ordered[0]?.n, 0);
  });

  it('splits the CPU so that the parts add up', () => {
    const rows = all(
      `select step, cpupq, fgcpupq + bgcpupq + clcpupq + otcpupq as parts from metrics where cpupq is not null`,
    );
    assert.equal(rows.length, 10);
    for (const row of rows) {
      assert.ok(Math.abs(Number(row.cpupq) - Number(row.parts)) < 1e-6, String(row.step));
    }
  });

  it('has the server count what the workers counted, to the row', () => {
    const rows = all(
      `select m.step, m.rows_inserted, m.rows_deleted,
         sum(delta) filter (where s.name = 'n_tup_ins') as server_inserted,
         sum(delta) filter (where s.name = 'n_tup_del') as server_deleted
       from metrics m join server_statistics s using (run_id, step)
       where s.source = 'pg_stat_user_tables' group by m.step`,
    );
    assert.equal(rows.length, STEP_NAMES.length);
    for (const row of rows) {
      assert.equal(row.server_inserted, row.rows_inserted, String(row.step));
      assert.equal(row.server_deleted, row.rows_deleted, String(row.step));
    }
  });

  it('tells what the server did, owed and waited for, and what it cost to know', () => {
    const server = all('select * from server_activity order by seq');
    assert.equal(server.length, STEP_NAMES.length);
    for (const row of server) {
      const absent = Object.keys(row).filter((name) => row[name] === null);
      // Where autovacuum has no work there is no cycle of it.
      assert.deepEqual(
        absent.filter((name) => !name.startsWith('autovacuum_cycle')),
        [],
        String(row.step),
      );
    }
    const settle = server.find((row) => row.step === 'settle');
    assert.deepEqual([settle?.vacuums, settle?.dead_tuples], [1, 0]);
    assert.ok(Number(settle?.checkpoints_requested) >= 1);
    assert.equal(all('select * from debt').length, 2 * STEP_NAMES.length);
    const roles = all(`select distinct role from waits where step like 'q%'`).map(
      (row) => row.role,
    );
    assert.ok(roles.length > 0 && !roles.includes('ibench'), roles.join());
    const cpu = all(
      `select step from server_series_per_second where name = 'cpu_s' and object = 'insert' group by step`,
    );
    assert.ok(cpu.length >= 3, 'CPU of the insert backend by second');
    const plans = all(
      `select step from server_series_per_second where name = 'delete_planning_ms'`,
    );
    assert.ok(plans.length >= 6, 'every read-write step is long enough for one');
    for (const row of all('select * from sampling_costs')) {
      assert.ok(Number(row.total_s) > 0 && row.backend_cpu_s !== null, JSON.stringify(row));
    }
  });

  it('prints the further tables when they are asked for', () => {
    const args = ['table', '--runs-dir', runs, '--table', 'waits', '--table', 'debt'];
    const tables = JSON.parse(ibench(...args, '--format', 'json').stdout) as object[];
    assert.equal(tables.length, 2);
  });

  it('keeps the samples, the raw text, the settings and where it all comes from', () => {
    assert.ok(all('select * from os_samples').length >= 20);
    for (const file of [
      'l.i0/vmstat.txt',
      'l.i0/workers.log',
      'settle/notices.txt',
      'server.log',
      'run.log',
    ]) {
      assert.ok(fs.existsSync(path.join(directory(), file)), file);
    }
    assert.match(
      fs.readFileSync(path.join(directory(), 'settle/notices.txt'), 'utf8'),
      /vacuuming/,
    );
    const requested = all('select name, actual, source from settings where requested is not null');
    assert.ok(requested.length >= 5);
    for (const row of requested) assert.equal(row.source, 'configuration file');
    const facts = (view: string, name: string): unknown =>
      db.prepare(`select value from ${view} where name = ?`).pluck().get(name);
    assert.match(String(facts('build_facts', 'version_text')), /PostgreSQL 18/);
    assert.match(String(facts('build_facts', 'pg_config_configure')), /--/);
    assert.match(String(facts('build_facts', 'sha256')), /^[0-9a-f]{64}$/);
    assert.match(String(facts('client_facts', 'library')), /libpq/);
    assert.equal(facts('workload_parameters', 'l_i1_rows'), 20_000);
    assert.ok(facts('host_facts', 'kernel'));
  });

  it('removes the data and leaves no process', () => {
    assert.ok(!fs.existsSync(path.join(directory(), 'data')));
    const left = fs
      .readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => commandLine(pid).includes(path.basename(directory())));
    assert.deepEqual(left.map(commandLine), []);
  });

  it('prints the tables to standard output, and nothing else', () => {
    // Before the results only what to keep in mind: other tests may use the CPU.
    assert.match(result.stdout, /^(Warnings\n(.+\n)+\n)?Throughput\n/);
    assert.match(result.stdout, /Normalised metrics\n/);
    assert.match(result.stderr, /qp1000 .* queries\/s/);
    assert.equal(result.stdout, ibench('table', '--runs-dir', runs).stdout);
  });

  it('prints the same numbers in every format', () => {
    const json = JSON.parse(ibench('table', '--runs-dir', runs, '--format', 'json').stdout) as {
      id: string;
    }[];
    // What else runs on the host is for the host to say.
    const ids = json.map(({ id }) => id).filter((id) => id !== 'warnings');
    assert.deepEqual(ids, [
      'summary',
      'sla',
      'histogram',
      'percentiles',
      'metrics',
      'details',
      'server',
      'deficits',
    ]);
    for (const [format, separator] of [
      ['csv', ','],
      ['tsv', '\t'],
    ] as const) {
      const text = ibench('table', '--runs-dir', runs, '--format', format, '--step', 'l.i0').stdout;
      const header = text.split('\n').find((line) => line.includes(`rkbpq${separator}`)) ?? '';
      let last = -1;
      for (const column of [...PUBLISHED_COLUMNS, 'tag']) {
        const at = header.split(separator).indexOf(column, last + 1);
        assert.ok(at > last, `${column} in ${header}`);
        last = at;
      }
    }
    const markdown = ibench(
      'table',
      '--runs-dir',
      runs,
      '--format',
      'md',
      '--step',
      'qr100',
    ).stdout;
    assert.match(markdown, /a b\\\|c/);
  });
});

describe('bad usage', () => {
  const cases: [name: string, args: string[], message: RegExp][] = [
    ['no command', [], /Expected a command/],
    ['an unknown command', ['rum'], /Did you mean run/],
    ['an unknown option', ['run', '--presett', 'tiny'], /presett/],
    [
      'an unknown preset',
      ['run', '--preset', 'tinny'],
      /unknown preset "tinny", did you mean "tiny"/,
    ],
    [
      'an unknown config',
      ['run', '--config', 'bass'],
      /unknown config "bass", did you mean "base"/,
    ],
    ['an unknown build', ['run', '--build', 'pg99'], /unknown build "pg99"/],
    ['a build that is no directory', ['run', '--build', '/no/such'], /there is no .*postgres/],
    [
      'an unknown parameter',
      ['run', '--set', 'rowz=1'],
      /unknown parameter "rowz", did you mean "rows"/,
    ],
    ['a parameter without a value', ['run', '--set', 'rows'], /expected name=value/],
    ['a preset without its name', ['run', '--preset'], /--preset needs a value/],
    ['clients without a number', ['run', '--clients'], /Not enough arguments following: clients/],
    ['a change without its text', ['run', '--set'], /Not enough arguments/],
    ['an empty store name', ['table', '--db', ''], /--db needs a value/],
    ['a preset and a file', ['run', '--preset', 'tiny', '--workload', 'x.yaml'], /give one/],
    ['a parameter set twice', ['run', '--clients', '2', '--set', 'clients=3'], /set twice/],
    ['a folder for a workload file', ['run', '--workload', `${os.tmpdir()}/`], /this is a folder/],
    ['a folder for a config file', ['run', '--config', `${os.tmpdir()}/`], /this is a folder/],
    ['an alias to nothing', ['run', '--set', 'rows=*x'], /--set rows=\*x: .*alias/i],
    ['a device that is none', ['run', '--device', 'nodev'], /nodev: no such block device/],
    ['a data folder that is there', ['run', '--data-dir', os.tmpdir()], /is there already/],
    ['a file for the runs', ['run', '--runs-dir', IBENCH], /expected a folder, this is a file/],
    [
      'an option given twice',
      ['run', '--preset', 'tiny', '--preset', 'quick'],
      /--preset was given 2 times/,
    ],
    ['a negative number', ['run', '--set', 'rows=-1'], /rows: .*got -1/],
    ['no clients', ['run', '--clients', '0'], /clients: .*got 0/],
    ['text for a number', ['run', '--set', 'rows=many'], /rows: .*got "many"/],
    ['a missing workload file', ['run', '--workload', './no.yaml'], /no such file/],
    ['shared tables with deletes', ['run', '--set', 'tables=shared'], /needs deletes=false/],
    ['a port that is none', ['run', '--listen', '99999'], /--listen 99999/],
    ['a missing store', ['table', '--db', '/no/such.sqlite'], /no such file/],
    ['an unknown format', ['table', '--format', 'pdf'], /Choices/],
    ['an unknown table', ['table', '--table', 'wait'], /Choices/],
    ['samples too often', ['run', '--activity-interval', '0.01'], /--activity-interval 0.01/],
  ];
  for (const [name, args, message] of cases) {
    it(`is refused with exit code 2 and a reason: ${name}`, () => {
      const { status, stdout, stderr } = ibench(...args);
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
    });
  }

  it('has a version and a help with examples for every command', () => {
    assert.match(ibench('--version').stdout, /^\d+\.\d+\.\d+\n$/);
    for (const command of ['run', 'table', 'compare', 'sweep-summary', 'export', 'doctor']) {
      const { status, stdout } = ibench(command, '--help');
      assert.equal(status, 0);
      assert.match(stdout, /Examples:/);
    }
  });
});

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
