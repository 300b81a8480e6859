import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blockOffset } from '../src/load/block.ts';
import type { InsertJob, QueryJob, WorkerJob } from '../src/load/job.ts';
import { makeJobs } from '../src/load/make-jobs.ts';
import { planSteps } from '../src/plan.ts';
import { postgresDialect } from '../src/workload/postgres.ts';
import { parseWorkload } from '../src/workload/workload.ts';

function jobs(name: string, parameters: Record<string, unknown> = {}): readonly WorkerJob[] {
  const workload = parseWorkload(parameters, 'test');
  const step = planSteps(workload).find((one) => one.name === name);
  assert.ok(step !== undefined);
  return makeJobs(step, workload, {
    parentPid: 42,
    dialect: postgresDialect,
    connect: (role, client, ordinal) => ({
      driver: 'libpq',
      library: 'libpq.so',
      conninfo: `${role}/${client}.${ordinal}`,
      spin: false,
    }),
    pin: { mode: 'none', cpus: [] },
  });
}

function only<R extends WorkerJob['role']>(role: R, from: readonly WorkerJob[]) {
  return from.filter((job) => job.role === role) as Extract<WorkerJob, { role: R }>[];
}

const roles = (from: readonly WorkerJob[]): string =>
  from.map(({ role, client }) => `${role}${client}`).join(' ');

describe('the jobs of a step', () => {
  it('are a pacer and an inserter, a deleter where rows are deleted, queriers where there are queries', () => {
    assert.equal(roles(jobs('l.i0')), 'pace1 insert1');
    assert.equal(roles(jobs('l.i1')), 'pace1 insert1 delete1');
    assert.equal(roles(jobs('l.i1', { deletes: false })), 'pace1 insert1');
    assert.equal(roles(jobs('qr100')), 'pace1 insert1 delete1 query1');
    assert.equal(
      roles(jobs('qp100', { clients: 2, queriers: 2 })),
      'pace1 insert1 delete1 query1 query1 pace2 insert2 delete2 query2 query2',
    );
  });

  it('own a block of the shared memory each, in their order', () => {
    const all = jobs('qr100', { clients: 3, queriers: 2 });
    assert.deepEqual(
      all.map((job) => job.blockOffset),
      all.map((_, i) => blockOffset(i)),
    );
  });

  it('connect by the name of their role, client and ordinal; a pacer does not connect', () => {
    const names = jobs('qr100', { clients: 2, queriers: 2 }).map((job) =>
      job.role === 'pace' ? null : job.connect.conninfo,
    );
    const client = (n: number) => [
      null,
      `insert/${n}.1`,
      `delete/${n}.1`,
      `query/${n}.1`,
      `query/${n}.2`,
    ];
    assert.deepEqual(names, [...client(1), ...client(2)]);
  });

  it('carry the rate of the step to the pacer, and the pacing of the workload', () => {
    const [pacer] = only('pace', jobs('qp500', { pacing: 'burst' }));
    assert.deepEqual(
      [pacer?.targetRate, pacer?.rowsPerCommit, pacer?.rows, pacer?.pacing, pacer?.deletes],
      [500, 50, null, 'burst', true],
    );
    const [unpaced] = only('pace', jobs('l.i1', { l_i1_rows: 1030 }));
    assert.deepEqual([unpaced?.targetRate, unpaced?.rows], [null, 1030]);
  });

  it('work on the table of their client, or all on the shared one', () => {
    const prefixes = (parameters: Record<string, unknown>) =>
      only('insert', jobs('l.i0', { clients: 2, ...parameters })).map(
        (job) => /into (\w+)/.exec(job.sql)?.[1],
      );
    assert.deepEqual(prefixes({}), ['pi1', 'pi2']);
    assert.deepEqual(prefixes({ tables: 'shared', deletes: false }), ['pi1', 'pi1']);
  });

  it('share the rows of a shared table among the clients', () => {
    const shared = { clients: 3, tables: 'shared', deletes: false, rows: 100 };
    const rows = only('insert', jobs('l.i0', shared)).map((job) => job.rows);
    assert.deepEqual(rows, [33, 33, 34]);
  });

  it('load batches that no other step of the run loads', () => {
    const steps = ['l.i0', 'l.i1', 'l.i2', 'qr100', 'qp100', 'qr500', 'qp500', 'qr1000', 'qp1000'];
    const bases = steps.map((name) => (jobs(name)[1] as InsertJob).batchBase);
    for (const [i, base] of bases.slice(1).entries()) assert.ok(base - bases[i]! >= 2 ** 32);
    assert.ok(Number.isSafeInteger(bases.at(-1)! + 2 ** 32));
  });

  it('prepare what the workload says: by default queries, not deletes; inserts go as it says', () => {
    const prepared = (parameters: Record<string, unknown>) =>
      jobs('qr100', parameters).flatMap((job) =>
        job.role === 'delete' || job.role === 'query' ? [job.prepared] : [],
      );
    assert.deepEqual(prepared({}), [false, true]);
    assert.deepEqual(prepared({ prepared_deletes: true, prepared_queries: false }), [true, false]);
    const methods = (parameters: Record<string, unknown>): string[] =>
      only('insert', jobs('qr100', parameters)).map(({ method }) => method);
    assert.deepEqual(methods({}), ['values']);
    assert.deepEqual(methods({ insert_method: 'copy' }), ['copy']);
  });

  it('ask the three range queries, or the point query with ten ids', () => {
    const [range] = only('query', jobs('qr100')) as [QueryJob];
    assert.deepEqual(
      range.queries.map(({ name, domain }) => [name, domain]),
      [
        ['pdc', 500],
        ['marketsegment', 10_000],
        ['registersegment', 1000],
      ],
    );
    const [point] = only('query', jobs('qp100')) as [QueryJob];
    assert.equal(point.queries.length, 1);
    assert.equal(point.queries[0]?.parts.length, 11);
    assert.equal(point.queries[0]?.domain, null);
  });

  it('give the queriers of every step another stream of parameters', () => {
    const streams = ['qr100', 'qp100', 'qr500'].map((name) => only('query', jobs(name))[0]?.stream);
    assert.equal(new Set(streams).size, 3);
  });

  it('are plain data that survives being written as JSON', () => {
    const all = jobs('qp100');
    assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
  });
});
