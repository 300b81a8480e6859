import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Audit, type AuditName, stepMetrics } from '@ibench/core';
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
    assert.ok(seconds > 2 && seconds < 20, `${seconds} s`);
    assert.equal(metrics.rows_deleted, 0);
    const queries = workers.reduce((n, one) => n + (one.role === 'query' ? one.operations : 0), 0);
    assert.equal(metrics.qps, queries / seconds);
    assert.equal(metrics.ips, metrics.rows_inserted / seconds);
  });
});
