import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bucketUpperUs,
  type Clock,
  QUEUE_STATEMENTS,
  stepMetrics,
  summariseTimes,
  type TimesResult,
} from '@ibench/core';
import { type Bench, openBench, type StepRun } from './rate-support.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
  await bench.load({ rows: 20_000 });
});
after(() => bench?.close());

const metricsOf = ({ step, result }: StepRun) => stepMetrics(step.name, step.kind, result);

/** Rows that the step should have inserted, over all clients. */
function target({ step, result }: StepRun): number {
  return (result.targetIps as number) * (step.seconds as number);
}

/** What holds for every step that the server keeps up with. */
function assertKeptUp(run: StepRun): void {
  const { rows_inserted, rows_deleted, sla_ok } = metricsOf(run);
  const { rowsPerCommit } = run.step;
  const missing = target(run) - rows_inserted;
  assert.ok(Math.abs(missing) <= rowsPerCommit, `${missing} rows of ${target(run)} are missing`);
  assert.ok(Math.abs(rows_inserted - rows_deleted) <= QUEUE_STATEMENTS * rowsPerCommit);
  assert.equal(sla_ok, true);
}

/** When each insert of a client reached the server, ms. */
function insertTimes({ log }: StepRun, client = 1): number[] {
  return log.filter(({ connection }) => connection === `insert/${client}`).map(({ atMs }) => atMs);
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, i) => time - (times[i] as number));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function timesOf({ result }: StepRun, clock: Clock): TimesResult {
  const inserter = result.workers.find(({ role }) => role === 'insert');
  return inserter?.times.find((times) => times.clock === clock) as TimesResult;
}

function slowerThan(seconds: number, { buckets }: TimesResult): number {
  return buckets.reduce(
    (sum, [index, count]) => sum + (bucketUpperUs(index) > seconds * 1e6 ? count : 0),
    0,
  );
}

describe('a target rate', () => {
  for (const rate of [100, 500, 1000]) {
    it(`of ${rate}/s is met to a statement, with an even schedule`, async () => {
      const run = await bench.step(`qr${rate}`, { seconds: 3 });
      assertKeptUp(run);
      const gapMs = (run.step.rowsPerCommit / rate) * 1000;
      const times = insertTimes(run);
      assert.ok(Math.abs(median(gaps(times)) - gapMs) < 0.2 * gapMs, `${gaps(times)}`);
      const span = (times.at(-1) as number) - (times[0] as number);
      const expected = (times.length - 1) * gapMs;
      assert.ok(Math.abs(span - expected) < 2 * gapMs, `${times.length} inserts in ${span} ms`);
    });
  }

  it('is met by every client', async () => {
    await bench.load({ rows: 20_000, clients: 2 });
    const run = await bench.step('qp500', { seconds: 2 });
    const inserted = run.result.workers.filter(({ role }) => role === 'insert');
    assert.deepEqual(
      inserted.map(({ client }) => client),
      [1, 2],
    );
    for (const { rows } of inserted) assert.ok(Math.abs(rows - 1000) <= 50, `${rows} rows`);
    assert.equal(metricsOf(run).target_ips, 1000);
    await bench.load({ rows: 20_000 });
  });

  it('is kept with pacing=burst by doing all statements of a second at its start', async () => {
    const run = await bench.step('qr500', { seconds: 3 }, { pacing: 'burst' });
    assertKeptUp(run);
    const between = gaps(insertTimes(run));
    const pauses = between.flatMap((gap, i) => (gap > 400 ? [i + 1] : []));
    assert.deepEqual(pauses, [10, 20]);
    assert.ok(median(between) < 50, `${between}`);
  });

  it('with few rows per commit means as many more statements', async () => {
    const run = await bench.step('qr100', { seconds: 2 }, { read_write_rows_per_commit: 5 });
    assertKeptUp(run);
    assert.ok(Math.abs(median(gaps(insertTimes(run))) - 50) < 10);
  });
});

describe('a stall of three seconds', () => {
  const STALL_MS = 3000;
  let run: StepRun;
  before(async () => {
    const running = bench.step('qr500', { seconds: 12 });
    const pid = await insertBackend();
    await stopBetweenStatements(pid);
    try {
      await sleep(STALL_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    run = await running;
  });

  /** The insert connection's backend, once it has inserted something. */
  async function insertBackend(): Promise<number> {
    const end = performance.now() + 20_000;
    while (performance.now() < end) {
      const insert = bench.log().find(({ connection }) => connection === 'insert/1');
      if (insert !== undefined) return insert.backendPid;
      await sleep(20);
    }
    assert.fail('nothing was inserted');
  }

  /** Stopped within a statement the backend can hold a lock that the deletes wait for. */
  async function stopBetweenStatements(pid: number): Promise<void> {
    const end = performance.now() + 20_000;
    while (performance.now() < end) {
      process.kill(pid, 'SIGSTOP');
      const [activity] = await bench.sql(`select state from pg_stat_activity where pid = ${pid}`);
      if (activity?.state === 'idle') return;
      process.kill(pid, 'SIGCONT');
    }
    assert.fail('the backend was never idle');
  }

  it('is one slow operation by the clock of the server', () => {
    assert.equal(slowerThan(2, timesOf(run, 'service')), 1);
    assert.equal(slowerThan(STALL_MS / 1000 - 0.3, timesOf(run, 'service')), 1);
  });

  it('is felt by every statement that was due meanwhile', () => {
    const response = timesOf(run, 'response');
    assert.ok(slowerThan(2, response) >= 5);
    assert.ok(slowerThan(0.5, response) >= 20);
    const summary = summariseTimes(run.result.workers);
    const insert = summary.find(({ kind, clock }) => kind === 'insert' && clock === 'response');
    const p99 = Number(insert?.percentiles.p99);
    assert.ok(p99 > 2.4e6 && p99 <= response.maxUs, `p99 ${p99} us`);
  });

  it('leaves no statement out: the backlog is worked off and the SLA met', () => assertKeptUp(run));

  it('lets deletes go ahead by no more than the queue, and then wait', () => {
    const rows = bench.store.db
      .prepare('SELECT second, kind, rows FROM second WHERE step_key = ? ORDER BY second')
      .all(run.stepKey) as { second: number; kind: string; rows: number }[];
    let ahead = 0;
    let most = 0;
    const seconds = Math.max(...rows.map(({ second }) => second));
    for (let second = 0; second <= seconds; second++) {
      for (const row of rows.filter((one) => one.second === second)) {
        if (row.kind === 'delete') ahead += row.rows;
        if (row.kind === 'insert') ahead -= row.rows;
      }
      most = Math.max(most, ahead);
    }
    // Up to half a queue of finished inserts may not have been told, and take room in the queue.
    const statements = most / run.step.rowsPerCommit;
    assert.ok(statements <= QUEUE_STATEMENTS && statements > QUEUE_STATEMENTS / 2, `${statements}`);
  });
});

describe('a server that cannot keep up', () => {
  const slowInserts = (seconds: number) =>
    bench.sql(`
      create or replace function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(${seconds}); return null; end $$;
      create or replace trigger slow before insert on pi1 for each statement execute function slow();
    `);
  after(() => bench.sql('drop function slow() cascade'));

  it('gives a result with the SLA missed, at the end of the step', async () => {
    await slowInserts(0.3);
    const run = await bench.step('qr1000', { seconds: 3 });
    const { rows_inserted, rows_deleted, sla_ok, ips, target_ips, seconds } = metricsOf(run);
    assert.equal(target_ips, 1000);
    assert.equal(sla_ok, false);
    assert.ok(rows_inserted > 0 && rows_inserted <= 10 * 50, `${rows_inserted} rows`);
    assert.ok(Number(ips) <= 200);
    assert.ok(rows_deleted - rows_inserted <= QUEUE_STATEMENTS * 50);
    assert.ok(rows_deleted >= rows_inserted);
    assert.ok(seconds >= 3 && seconds < 4.5, `${seconds} s`);
  });

  it('does not hold up the end of the step: a statement that still runs is cancelled', async () => {
    await slowInserts(60);
    const run = await bench.step('qp500', { seconds: 2 });
    const { rows_inserted, rows_deleted, sla_ok, seconds } = metricsOf(run);
    assert.deepEqual([rows_inserted, sla_ok], [0, false]);
    assert.equal(rows_deleted, QUEUE_STATEMENTS * 50);
    assert.ok(seconds < 20, `${seconds} s`);
    assert.deepEqual(
      run.result.workers.map(({ errors }) => errors),
      [0, 0, 0, 0],
    );
  });
});
