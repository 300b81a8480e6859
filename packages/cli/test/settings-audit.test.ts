import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerState } from '@ibench/host';
import { StateWatch } from '../src/run/audit-state.ts';
import { query, type Run, sql, startRun, steps, until, untilMeasured } from './support.ts';

function stateWith(workMem: string, reloads: number): ServerState {
  const settings = new Map([
    ['fsync', 'on'],
    ['work_mem', workMem],
  ]);
  return { startedAt: 'then', recoveredAt: null, configReadAt: `reload ${reloads}`, settings };
}

test('a step that began under other settings is invalid, also when they were right at its end', () => {
  const watch = new StateWatch(stateWith('4MB', 0));
  const verdictOf = (step: string, now: ServerState): (string | undefined)[] => {
    const audits = watch.end(step, now);
    return ['settings', 'reload'].map((name) => audits.find((one) => one.name === name)?.verdict);
  };
  watch.look('at the begin of qr100', stateWith('4MB', 0));
  assert.deepEqual(verdictOf('qr100', stateWith('4MB', 0)), ['ok', 'ok']);
  watch.look('at the begin of qp100', stateWith('1MB', 1));
  assert.deepEqual(verdictOf('qp100', stateWith('4MB', 2)), ['invalid', 'warned']);
  assert.deepEqual(verdictOf('qr500', stateWith('4MB', 2)), ['invalid', 'warned']);
  const [, settings] = watch.end('qp500', stateWith('2MB', 3));
  assert.match(
    String(settings?.reason),
    /, as was found at the begin of qp100: work_mem was 4MB, then 1MB; work_mem was 4MB, then 2MB$/,
  );
});

function settingsAudits(run: Run): string[] {
  const rows = query(
    run,
    `SELECT a.step, a.verdict, a.reason FROM audits a JOIN steps s USING (run_id, step)
     WHERE s.tag = :tag AND a.name = 'settings' ORDER BY s.seq`,
  );
  return rows.map(({ step, verdict, reason }) => `${step} ${verdict}: ${reason}`);
}

test('a run in which a setting was changed and changed back is invalid from there on', async (t) => {
  const run = startRun(t, { set: { read_write_seconds: 5 } });
  await untilMeasured(run, 'qr100');
  await sql(run, "alter system set work_mem = '1MB'");
  await sql(run, 'select pg_reload_conf()');
  await untilMeasured(run, 'qp100');
  await sql(run, 'alter system reset work_mem');
  await sql(run, 'select pg_reload_conf()');
  await until('qr500 is done', () => steps(run).includes('qr500 done'));
  process.kill(run.pid, 'SIGINT');
  await run.ended;
  const [found, ...others] = settingsAudits(run).filter((line) => !line.includes(' ok: '));
  const reason =
    'settings did not stay what they were when the run began, as was found at the end of qr100: work_mem was 4096 × kB, then 1024 × kB';
  assert.equal(found, `qr100 invalid: ${reason}`);
  assert.deepEqual(others.slice(0, 2), [`qp100 invalid: ${reason}`, `qr500 invalid: ${reason}`]);
});
