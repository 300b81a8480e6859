import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Audit,
  type AuditName,
  type Clock,
  type StatementKind,
  slaFigures,
  stepMetrics,
  summariseTimes,
  type TimesSummary,
} from '@ibench/core';
import { familyOf } from '../src/selftest/processes.ts';
import { type Bench, openBench, type StepRun } from './rate-support.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
  await bench.load({ rows: 20_000 });
});
after(() => bench?.close());

function auditOf({ result }: StepRun, name: AuditName): Audit {
  const audit = result.audits.find((one) => one.name === name);
  assert.ok(audit, `no audit ${name}`);
  return audit;
}

/** Waits until the step under way has inserted something. */
async function untilInserting(): Promise<void> {
  const end = performance.now() + 60_000;
  while (!bench.log().some(({ connection }) => connection === 'insert/1')) {
    assert.ok(performance.now() < end, 'nothing was inserted');
    await sleep(20);
  }
}

/** The querier of the step under way. */
function querier(): number | undefined {
  return familyOf([process.pid]).find(({ command }) => command.includes('"role":"query"'))?.pid;
}

describe('the watch of a step', () => {
  it('finds nothing where there is nothing', async () => {
    const run = await bench.step('qr100', { seconds: 2 });
    assert.equal(auditOf(run, 'connections').verdict, 'ok');
    assert.equal(auditOf(run, 'clock').verdict, 'ok');
  });

  it('makes a step invalid in which somebody else was connected, be it for a while', async () => {
    const running = bench.step('qr100', { seconds: 5 });
    await untilInserting();
    await bench.sql('select pg_sleep(2.5)');
    const audit = auditOf(await running, 'connections');
    assert.deepEqual([audit.verdict, audit.value], ['invalid', 1]);
    assert.match(audit.reason, /other connections during the step than it should: others: test$/);
  });

  const insertBackend = () => bench.log().find((one) => one.connection === 'insert/1')?.backendPid;
  for (const [who, find, verdict] of [
    ['the querier of client 1', querier, 'invalid'],
    ['the backend of the inserter of client 1', insertBackend, 'warned'],
  ] as const) {
    it(`tells of a step in which ${who} was stopped`, async () => {
      const running = bench.step('qr100', { seconds: 5 });
      await untilInserting();
      const pid = find();
      process.kill(pid as number, 'SIGSTOP');
      await sleep(2500);
      process.kill(pid as number, 'SIGCONT');
      const audit = auditOf(await running, 'stopped');
      assert.equal(audit.verdict, verdict);
      assert.match(
        audit.reason,
        RegExp(`^${who} was stopped \\(SIGSTOP\\), as was seen in \\d+ s`),
      );
    });
  }

  it('warns of a series that stopped when vmstat was killed', async () => {
    const running = bench.step('qr100', { seconds: 8 });
    await untilInserting();
    const vmstat = familyOf([process.pid]).find(({ command }) => command.includes('vmstat'));
    assert.ok(vmstat, 'no vmstat');
    process.kill(vmstat.pid, 'SIGKILL');
    const audit = auditOf(await running, 'samples');
    assert.equal(audit.verdict, 'warned');
    assert.match(audit.reason, /^vmstat gave \d samples of at least \d+: the rest/);
  });
});

/**
 * Locks the table until an insert, a delete and a query wait for it, and then until none of them does any
 * more; fails after a minute, which is how long they would wait if nobody cancelled them.
 */
const BLOCK_ALL = `
  do $$
  declare
    give_up timestamptz := clock_timestamp() + interval '60 s';
    wanted int;
    blocked int;
  begin
    lock table pi1 in access exclusive mode;
    foreach wanted in array array[3, 0] loop
      loop
        select count(*) into blocked from pg_locks
        where not granted and relation = 'pi1'::regclass;
        exit when blocked = wanted;
        if clock_timestamp() > give_up then
          raise '% statements are blocked, not %', blocked, wanted;
        end if;
        perform pg_sleep(0.02);
      end loop;
    end loop;
  end $$`;

/** A second is what is asked for; the rest is for a machine that is busy with other things. */
const LATE_S = 1 + 9;

/** Rows in the seconds of the store that begin at the deadline or later. */
function rowsAfterDeadline({ step, stepKey }: StepRun, kind: string): number {
  return bench.store.db
    .prepare(
      `SELECT coalesce(sum(rows), 0) FROM second
       WHERE step_key = ? AND kind = ? AND second >= ?`,
    )
    .pluck()
    .get(stepKey, kind, step.seconds) as number;
}

/** The slowest response of a step's last second, and the whole seconds at its end in which none came. */
function waitAtEnd(
  { step, stepKey }: StepRun,
  kind: string,
): { readonly slowestS: number; readonly idleS: number } {
  const planned = step.seconds as number;
  return bench.store.db
    .prepare(
      `SELECT max(max_us) FILTER (WHERE second = ? - 1) / 1e6 AS slowestS,
         ? - 1 - coalesce(max(second) FILTER (WHERE ops > 0), -1) AS idleS
       FROM second WHERE step_key = ? AND kind = ?`,
    )
    .get(planned, planned, stepKey, kind) as { slowestS: number; idleS: number };
}

/** What the workers said that their driver is. */
function driverVersion({ stepKey }: StepRun): string {
  return bench.store.db
    .prepare(
      `SELECT value FROM run_fact JOIN step USING (run_key)
       WHERE step_key = ? AND name = 'driver_version'`,
    )
    .pluck()
    .get(stepKey) as string;
}

/** Times of a kind of statement by a clock. */
function timesOf({ result }: StepRun, kind: StatementKind, clock: Clock): TimesSummary {
  const all = summariseTimes(result.workers);
  const times = all.find((one) => one.kind === kind && one.clock === clock);
  assert.ok(times, `no ${clock} times of ${kind}`);
  return times;
}

describe('the deadline of a step', () => {
  afterEach(() => bench.useDriver('libpq'));

  for (const [driver, method] of [
    ['libpq', 'values'],
    ['libpq', 'copy'],
    ['libpq', 'pipeline'],
    ['libpq', 'singleton'],
    ['postgres.js', 'values'],
  ] as const) {
    it(`holds when insert (${method}), delete and query are blocked over it, by ${driver}`, async () => {
      bench.useDriver(driver);
      const block = async (): Promise<void> => {
        await untilInserting();
        await bench.sql(BLOCK_ALL);
      };
      const parameters = { insert_method: method };
      const running = bench.step('qr100', { seconds: 5 }, parameters);
      const [run] = await Promise.all([running, block()]);
      assert.match(driverVersion(run), driver === 'libpq' ? /^\d\d\.\d+$/ : /^3\.\d+\.\d+$/);
      const planned = run.step.seconds as number;
      const { seconds, workers } = run.result;
      assert.ok(seconds >= planned && seconds < planned + LATE_S, `${seconds} s`);
      assert.deepEqual(
        workers.map(({ errors }) => errors),
        workers.map(() => 0),
      );
      for (const kind of ['insert', 'delete', 'query'] as const) {
        assert.equal(rowsAfterDeadline(run, kind), 0, kind);
        assert.ok(waitAtEnd(run, kind).slowestS > 0, kind);
      }
      for (const kind of ['insert', 'delete'] as const) {
        const sent = timesOf(run, kind, 'service').maxUs;
        const due = timesOf(run, kind, 'response').maxUs;
        assert.ok(due >= sent, `${kind}: ${due} µs from when it was due, ${sent} µs from sending`);
      }
      // One query is sent when the last has ended, so the one that was cancelled waited since then.
      const { slowestS, idleS } = waitAtEnd(run, 'query');
      assert.ok(slowestS >= idleS, `${slowestS} s, but no query ended for ${idleS} s`);
      const { maxop } = stepMetrics(run.step.name, run.step.kind, run.result);
      assert.ok((maxop ?? 0) >= idleS, `maxop ${maxop} s, but no query ended for ${idleS} s`);
    });
  }

  it('ends a batch of single-row inserts with the row that is under way', async () => {
    await bench.sql(`
      create function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.02); return null; end $$;
      create trigger slow before insert on pi1 for each statement execute function slow();
    `);
    const run = await bench.step('qr100', { seconds: 2 }, { insert_method: 'singleton' });
    await bench.sql('drop function slow() cascade');
    const after = rowsAfterDeadline(run, 'insert');
    assert.ok(after <= 1, `${after} rows were inserted after the deadline`);
  });
});

describe('a step that a stalled server makes too long', () => {
  it('is invalid, says by how much and whose answer came late, and is not the client’s fault', async () => {
    const planned = 4;
    const running = bench.step('qr100', { seconds: planned });
    await untilInserting();
    const [backend] = await bench.sql(
      `select pid from pg_stat_activity where application_name like '%/query/1'`,
    );
    process.kill(backend?.pid as number, 'SIGSTOP');
    await sleep((planned + 2) * 1000);
    process.kill(backend?.pid as number, 'SIGCONT');
    const run = await running;
    const audit = auditOf(run, 'deadline');
    assert.deepEqual([audit.verdict, audit.value], ['invalid', run.result.seconds - planned]);
    assert.match(audit.reason, /after its time of 4 s, .*; the querier of client 1 was the last/);
    assert.equal(auditOf(run, 'client-bound').verdict, 'ok');
    // What is missing to the rate is missing to the average, and no second was short of inserts.
    const { ips, target_ips, sla_ok } = stepMetrics(run.step.name, run.step.kind, run.result);
    const [sla] = slaFigures(run.result.background);
    assert.equal(sla_ok, false);
    const average = (ips as number) / (target_ips as number);
    assert.ok(Math.abs((sla?.average ?? 0) - average) < 1e-9, `${sla?.average}, not ${average}`);
  });
});

describe('the window of a step that is ended by time', () => {
  it('is its true length: what was cancelled late is in it, and rates are over it', async () => {
    await bench.sql(`
      create function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(60); return null; end $$;
      create trigger slow before delete on pi1 for each statement execute function slow();
    `);
    const run = await bench.step('qr100', { seconds: 2 });
    await bench.sql('drop function slow() cascade');
    const { seconds, workers } = run.result;
    const metrics = stepMetrics(run.step.name, run.step.kind, run.result);
    const ends = workers.map(({ finishedS }) => finishedS ?? Number.NaN);
    assert.equal(seconds, Math.max(...ends));
    // The delete was under way at the deadline, and was cancelled after it.
    assert.ok(seconds > 2 && seconds < 2 + LATE_S, `${seconds} s`);
    assert.equal(metrics.rows_deleted, 0);
    // It was the first, due when the step began.
    const { count, maxUs } = timesOf(run, 'delete', 'response');
    assert.deepEqual([count, maxUs], [0, 2e6]);
    assert.ok(timesOf(run, 'delete', 'service').maxUs <= maxUs);
    const queries = workers.reduce((n, one) => n + (one.role === 'query' ? one.operations : 0), 0);
    assert.equal(metrics.qps, queries / seconds);
    assert.equal(metrics.ips, metrics.rows_inserted / seconds);
  });
});
