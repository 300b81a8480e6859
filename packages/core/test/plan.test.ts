import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planSteps, type StepPlan, settleSeconds, tableNames, tableOf } from '../src/plan.ts';
import { rowsInStatement } from '../src/rows-in-statement.ts';
import { STEP_NAMES } from '../src/step.ts';
import { parseWorkload } from '../src/workload/workload.ts';

function plan(parameters: Record<string, unknown> = {}): Map<string, StepPlan> {
  const steps = planSteps(parseWorkload(parameters, 'test'));
  return new Map(steps.map((step) => [step.name, step]));
}

function step(name: string, parameters: Record<string, unknown> = {}): StepPlan {
  return plan(parameters).get(name) as StepPlan;
}

describe('the plan of a run', () => {
  it('has all steps of the benchmark in order, numbered from 1', () => {
    const steps = [...plan().values()];
    assert.deepEqual(
      steps.map(({ name }) => name),
      STEP_NAMES,
    );
    assert.deepEqual(
      steps.map(({ seq }) => seq),
      STEP_NAMES.map((_, i) => i + 1),
    );
  });

  it('says what kind each step is and which end after a time', () => {
    const kinds = [...plan({ read_write_seconds: 7, settle_seconds: 3 }).values()].map(
      ({ kind, seconds }) => [kind, seconds],
    );
    assert.deepEqual(kinds, [
      ['load', null],
      ['index', null],
      ['write', null],
      ['write', null],
      ['settle', 3],
      ...Array.from({ length: 6 }, () => ['read-write', 7]),
    ]);
  });

  it('gives X, Y and Z rows to the steps that end with their rows', () => {
    const parameters = { rows: 30_000, l_i1_rows: 4000, l_i2_rows: 500 };
    assert.deepEqual(step('l.i0', parameters).rowsPerClient, [30_000]);
    assert.deepEqual(step('l.i1', parameters).rowsPerClient, [4000]);
    assert.deepEqual(step('l.i2', parameters).rowsPerClient, [500]);
    assert.equal(step('qr100', parameters).rowsPerClient, null);
  });

  it('has 100, 50, 5 and 50 rows per commit unless the workload says otherwise', () => {
    const sizes = (steps: Map<string, StepPlan>) =>
      ['l.i0', 'l.i1', 'l.i2', 'qr100', 'qp1000'].map((name) => steps.get(name)?.rowsPerCommit);
    assert.deepEqual(sizes(plan()), [100, 50, 5, 50, 50]);
    const other = {
      l_i0_rows_per_commit: 1,
      l_i1_rows_per_commit: 2,
      l_i2_rows_per_commit: 3,
      read_write_rows_per_commit: 4,
    };
    assert.deepEqual(sizes(plan(other)), [1, 2, 3, 4, 4]);
  });

  it('shrinks rows per commit to the rate where there would be less than a statement per second', () => {
    const large = { read_write_rows_per_commit: 600 };
    for (const shape of ['qr', 'qp']) {
      assert.equal(step(`${shape}100`, large).rowsPerCommit, 100);
      assert.equal(step(`${shape}500`, large).rowsPerCommit, 500);
      assert.equal(step(`${shape}1000`, large).rowsPerCommit, 600);
    }
  });

  it('asks for the rate in the name of a step, with range queries in qr and point queries in qp', () => {
    for (const { name, targetRate, queries } of plan().values()) {
      const match = /^q([rp])(\d+)$/.exec(name);
      assert.equal(targetRate, match === null ? null : Number(match[2]), name);
      const shape = match === null ? null : match[1] === 'r' ? 'range' : 'point';
      assert.equal(queries, shape, name);
    }
  });

  it('deletes from l.i1 on, and nowhere where the workload says so', () => {
    const deleting = (parameters: Record<string, unknown>) =>
      [...plan(parameters).values()].filter(({ deletes }) => deletes).map(({ name }) => name);
    assert.deepEqual(deleting({ deletes: false }), []);
    assert.deepEqual(
      deleting({}),
      STEP_NAMES.filter((name) => !['l.i0', 'l.x', 'settle'].includes(name)),
    );
  });

  it('gives every client a table and all rows of it, or a fair share of one table', () => {
    const own = parseWorkload({ clients: 3, rows: 1000 }, 'test');
    assert.deepEqual(tableNames(own), ['pi1', 'pi2', 'pi3']);
    assert.equal(tableOf(own, 3), 'pi3');
    assert.deepEqual(planSteps(own)[0]?.rowsPerClient, [1000, 1000, 1000]);
    for (let clients = 1; clients <= 40; clients++) {
      for (const rows of [1, 39, 40, 1001, 999_999_937]) {
        const w = parseWorkload({ clients, rows, tables: 'shared', deletes: false }, 'test');
        assert.deepEqual(tableNames(w), ['pi1']);
        assert.equal(tableOf(w, clients), 'pi1');
        const shares = planSteps(w)[0]?.rowsPerClient as number[];
        assert.equal(shares.length, clients);
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          rows,
        );
        assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
      }
    }
  });
});

describe('the length of settle', () => {
  const of = (parameters: Record<string, unknown>) =>
    settleSeconds(parseWorkload(parameters, 'test'));

  it('is a minute and a second for every million rows of all tables, at most 20 minutes', () => {
    assert.equal(of({ rows: 500 }), 60);
    assert.equal(of({ rows: 30_000_000 }), 90);
    assert.equal(of({ rows: 10_000_000, clients: 4 }), 100);
    assert.equal(of({ rows: 10_000_000, clients: 4, tables: 'shared', deletes: false }), 70);
    assert.equal(of({ rows: 800_000_000 }), 860);
    assert.equal(of({ rows: 200_000_000, clients: 20 }), 1200);
  });

  it('is what the workload says where it says something, also 0', () => {
    assert.equal(step('settle', { settle_seconds: 0 }).seconds, 0);
    assert.equal(step('settle', { settle_seconds: null, rows: 2_000_000 }).seconds, 62);
  });
});

describe('rows in a statement', () => {
  it('add up to the rows of the step, the last statement taking what is left', () => {
    for (const rows of [1, 99, 100, 101, 20_050]) {
      for (const perCommit of [1, 7, 50, 100]) {
        const statements = Math.ceil(rows / perCommit);
        const each = Array.from({ length: statements }, (_, k) =>
          rowsInStatement(k, perCommit, rows),
        );
        assert.equal(
          each.reduce((sum, n) => sum + n, 0),
          rows,
        );
        assert.ok(each.slice(0, -1).every((n) => n === perCommit));
        assert.equal(rowsInStatement(statements, perCommit, rows), 0);
      }
    }
  });

  it('are as many as a commit has until the deadline where no rows are set', () => {
    assert.equal(rowsInStatement(10 ** 9, 50, null), 50);
  });
});
