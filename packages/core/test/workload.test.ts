import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../src/errors.ts';
import {
  describeWorkload,
  nearest,
  parseWorkload,
  WORKLOAD_PARAMETERS,
} from '../src/workload/workload.ts';

/** The message that this input is refused with. */
function refusal(input: unknown): string {
  try {
    parseWorkload(input, 'my.yaml');
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /^my\.yaml: /);
    return error.message.slice('my.yaml: '.length);
  }
  assert.fail(`${JSON.stringify(input)} was accepted`);
}

describe('a workload', () => {
  it('has a default for every parameter and cannot be changed afterwards', () => {
    const workload = parseWorkload({}, 'my.yaml');
    assert.deepEqual(Object.keys(workload).sort(), [...WORKLOAD_PARAMETERS].sort());
    assert.ok(Object.isFrozen(workload));
    assert.equal(workload.clients, 1);
    assert.equal(workload.settle_seconds, null);
  });

  it('keeps what it is given and fills in the rest, without touching its input', () => {
    const input = Object.freeze({ rows: 1234, pacing: 'burst', settle_seconds: 0 });
    const { rows, pacing, settle_seconds, l_i1_rows } = parseWorkload(input, 'my.yaml');
    assert.deepEqual([rows, pacing, settle_seconds, l_i1_rows], [1234, 'burst', 0, 100_000]);
  });

  it('has a line of documentation for every parameter', () => {
    const lines = describeWorkload();
    assert.deepEqual(
      lines.map(({ name }) => name),
      WORKLOAD_PARAMETERS,
    );
    for (const { name, meaning } of lines) assert.notEqual(meaning, '', name);
    assert.equal(lines.find(({ name }) => name === 'rows')?.fallback, '500000');
  });
});

describe('a workload is refused with parameter, what was expected and what came:', () => {
  const cases: [kind: string, input: unknown, message: RegExp][] = [
    ['a mistyped name', { row: 1 }, /^unknown parameter "row", did you mean "rows"\?$/],
    ['another spelling', { 'L.i1-Rows': 1 }, /"L\.i1-Rows", did you mean "l_i1_rows"\?$/],
    ['a name like no other', { zzzzzzzzz: 1 }, /^unknown parameter "zzzzzzzzz" \(known: clients, /],
    ['a negative number', { rows: -1 }, /^rows: .*>=1, got -1$/],
    ['nothing', { clients: 0 }, /^clients: .*>=1, got 0$/],
    ['too much', { secondary_indexes: 4 }, /^secondary_indexes: .*<=3, got 4$/],
    ['a seed of more than 32 bits', { seed: 2 ** 32 }, /^seed: .*<=4294967295, got 4294967296$/],
    ['a fraction', { rows: 1.5 }, /^rows: expected int, got 1\.5$/],
    ['a share above 1', { data_random_share: 1.1 }, /^data_random_share: .*<=1, got 1\.1$/],
    ['text for a number', { rows: 'many' }, /^rows: expected number, got "many"$/],
    ['null for a number', { rows: null }, /^rows: expected number, got null$/],
    ['no number', { rows: Number.NaN }, /^rows: expected number, got NaN$/],
    ['infinity', { rows: Number.POSITIVE_INFINITY }, /^rows: expected number, got Infinity$/],
    ['text for a switch', { deletes: 'yes' }, /^deletes: expected boolean, got "yes"$/],
    ['a number for a switch', { prepared_queries: 1 }, /^prepared_queries: .*boolean, got 1$/],
    ['a word that is no choice', { pacing: 'x' }, /^pacing: .*"even"\|"burst", got "x"$/],
    ['an interval of 3 s', { sample_interval: 3 }, /^sample_interval: expected 1, 2 or 5, got 3$/],
    ['a list', { rows: [1] }, /^rows: expected number, got \[1\]$/],
    ['a number as the whole', 5, /^expected a list of name: value pairs, got 5$/],
    ['nothing as the whole', null, /^expected a list of name: value pairs, got null$/],
    ['a list as the whole', [1], /^expected a list of name: value pairs, got \[1\]$/],
  ];
  for (const [kind, input, message] of cases) {
    it(kind, () => assert.match(refusal(input), message));
  }

  it('every parameter that is wrong, not only the first', () => {
    const message = refusal({ rows: -1, clients: 'x', colour: 1 });
    assert.match(message, /rows: .*got -1/);
    assert.match(message, /clients: expected number, got "x"/);
    assert.match(message, /unknown parameter "colour"/);
  });
});

describe('parameters are checked together:', () => {
  it('the longest data is not shorter than the shortest', () => {
    const message = refusal({ data_length_min: 30, data_length_max: 20 });
    assert.equal(message, 'data_length_max (20) is less than data_length_min (30)');
    assert.equal(
      parseWorkload({ data_length_min: 20, data_length_max: 20 }, '').data_length_max,
      20,
    );
  });

  it('a shared table has no deletes', () => {
    assert.match(refusal({ tables: 'shared' }), /^tables=shared needs deletes=false/);
    assert.equal(parseWorkload({ tables: 'shared', deletes: false }, '').tables, 'shared');
  });

  it('deletes that are ahead of inserts by the whole queue still find rows', () => {
    assert.match(refusal({ rows: 449 }), /^rows \(449\) must be at least 450: /);
    assert.equal(parseWorkload({ rows: 450 }, '').rows, 450);
    assert.equal(parseWorkload({ rows: 1, deletes: false }, '').rows, 1);
    assert.match(refusal({ rows: 450, l_i2_rows_per_commit: 51 }), /must be at least 459/);
  });
});

describe('the nearest name', () => {
  it('is found through letter case, signs and a few wrong letters, and not invented', () => {
    const known = ['rows', 'clients', 'read_write_seconds'];
    assert.equal(nearest('Rows', known), 'rows');
    assert.equal(nearest('client', known), 'clients');
    assert.equal(nearest('readWriteSecond', known), 'read_write_seconds');
    assert.equal(nearest('temperature', known), null);
    assert.equal(nearest('rows', []), null);
  });
});
