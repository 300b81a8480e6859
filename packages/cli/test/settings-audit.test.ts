import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexState, ServerState } from '@ibench/host';
import { SchemaWatch } from '../src/run/audit-schema.ts';
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

function indexOf(name: string, changes: Partial<IndexState> = {}): IndexState {
  return { table: 'pi1', name, identity: name, isPrimary: false, isUsable: true, ...changes };
}

test('a step that ends with other indexes than it must have is invalid, and so are all later ones', () => {
  const primary = indexOf('pi1_pkey', { isPrimary: true });
  const [market, register] = [indexOf('pi1_marketsegment'), indexOf('pi1_registersegment')];
  const all = [primary, market, register];
  const judged = (...seen: IndexState[][]): string => {
    const watch = new SchemaWatch(['pi1'], { secondary_indexes: 2 }, false);
    const told = [
      watch.end({ name: 'l.i0', builds: false }, [primary]),
      watch.end({ name: 'l.x', builds: true }, all),
      ...seen.map((indexes, i) => watch.end({ name: `q${i}`, builds: false }, indexes)),
    ];
    const last = told.at(-1);
    return `${told.map(({ verdict }) => verdict[0]).join('')} ${last?.reason}`;
  };
  const found = 'the tables did not keep their indexes, as was found at the end of q0:';
  assert.equal(judged(all), 'ooo the tables have the 3 indexes that they must have');
  assert.equal(judged([primary, market], all), `ooii ${found} pi1_registersegment is missing`);
  assert.equal(judged([market, register]), `ooi ${found} pi1 has no primary key`);
  assert.equal(judged([...all, indexOf('mine')]), `ooi ${found} mine on pi1 should not be there`);
  assert.equal(
    judged([primary, market, { ...register, isUsable: false }]),
    `ooi ${found} pi1_registersegment is not valid`,
  );
  assert.equal(
    judged([primary, market, { ...register, identity: 'another' }]),
    `ooi ${found} pi1_registersegment was made anew`,
  );
});

test('a run in which an index was dropped is invalid from there on', async (t) => {
  const run = startRun(t, { set: { read_write_seconds: 6 } });
  await untilMeasured(run, 'qr100');
  await sql(run, 'drop index pi1_marketsegment');
  await until('qp100 is done', () => steps(run).includes('qp100 done'));
  process.kill(run.pid, 'SIGINT');
  await run.ended;
  const reason =
    'the tables did not keep their indexes, as was found at the end of qr100: pi1_marketsegment is missing';
  assert.deepEqual(
    audits(run, 'schema').filter((line) => !line.includes(' ok: ')),
    [`qr100 invalid: ${reason}`, `qp100 invalid: ${reason}`],
  );
});

function audits(run: Run, name: string): string[] {
  const rows = query(
    run,
    `SELECT a.step, a.verdict, a.reason FROM audits a JOIN steps s USING (run_id, step)
     WHERE s.tag = :tag AND a.name = '${name}' ORDER BY s.seq`,
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
  const [found, ...others] = audits(run, 'settings').filter((line) => !line.includes(' ok: '));
  const reason =
    'settings did not stay what they were when the run began, as was found at the end of qr100: work_mem was 4096 × kB, then 1024 × kB';
  assert.equal(found, `qr100 invalid: ${reason}`);
  assert.deepEqual(others.slice(0, 2), [`qp100 invalid: ${reason}`, `qr500 invalid: ${reason}`]);
});
