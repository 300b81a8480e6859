import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../src/errors.ts';
import { checkDriver } from '../src/load/driver.ts';
import { placeOf } from '../src/load/pin.ts';
import { INSERT_METHODS } from '../src/workload/dialect.ts';

describe('drivers and methods', () => {
  test('libpq has all methods', () => {
    for (const method of INSERT_METHODS) checkDriver('libpq', method);
  });

  test('postgres.js has all methods but copy and pipeline', () => {
    const refused = INSERT_METHODS.filter((method) => {
      try {
        checkDriver('postgres.js', method);
        return false;
      } catch (error) {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, new RegExp(`insert_method=${method}: it `));
        return true;
      }
    });
    assert.deepEqual(refused, ['copy', 'pipeline']);
  });
});

describe('places of workers and backends', () => {
  const places = (mode: 'none' | 'same' | 'apart', cpus: readonly number[]) =>
    [0, 1, 2, 3].map((number) => {
      const place = placeOf({ mode, cpus }, number);
      return place === null ? null : [place.worker, place.backend];
    });

  test('none leaves them to the kernel', () => {
    assert.deepEqual(places('none', [0, 1]), [null, null, null, null]);
  });

  test('same puts each pair on one CPU, the CPUs in turn', () => {
    assert.deepEqual(places('same', [4]), Array(4).fill([4, 4]));
    assert.deepEqual(places('same', [2, 3, 6]), [
      [2, 2],
      [3, 3],
      [6, 6],
      [2, 2],
    ]);
  });

  test('apart puts each pair on two neighbours, the pairs of CPUs in turn', () => {
    assert.deepEqual(places('apart', [0, 1]), Array(4).fill([0, 1]));
    assert.deepEqual(places('apart', [0, 1, 4, 5]), [
      [0, 1],
      [4, 5],
      [0, 1],
      [4, 5],
    ]);
    assert.deepEqual(places('apart', [0, 1, 2]), [
      [0, 1],
      [2, 0],
      [1, 2],
      [0, 1],
    ]);
  });
});
