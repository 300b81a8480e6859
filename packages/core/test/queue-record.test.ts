import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dueNs, RECORD, RECORD_BYTES } from '../src/load/queue-record.ts';

const START = 3e16;

describe('a statement is due', () => {
  it('at start + k × rows per commit / rate when pacing is even', () => {
    const pace = { rate: 500, rowsPerCommit: 50, pacing: 'even' } as const;
    for (const k of [0, 1, 9, 10, 11, 17_999, 36_000]) {
      assert.equal(dueNs(START, k, pace), START + k * 0.1e9);
    }
  });

  it('with gaps that are all alike, to the nanosecond or so, also where they are no whole number', () => {
    for (const [rate, rowsPerCommit] of [
      [100, 50],
      [1000, 7],
      [1000, 3],
      [100, 100],
    ] as const) {
      const gap = (rowsPerCommit / rate) * 1e9;
      for (let k = 0; k < 5000; k++) {
        const pace = { rate, rowsPerCommit, pacing: 'even' } as const;
        const between = dueNs(START, k + 1, pace) - dueNs(START, k, pace);
        assert.ok(Math.abs(between - gap) <= 10, `${between} after statement ${k}`);
      }
    }
  });

  it('at the start of its second when pacing is burst, rate / rows per commit of them each', () => {
    const pace = { rate: 1000, rowsPerCommit: 50, pacing: 'burst' } as const;
    for (let k = 0; k < 200; k++) {
      assert.equal(dueNs(START, k, pace), START + Math.floor(k / 20) * 1e9);
    }
  });

  it('in the same second with either pacing, and never later in a burst', () => {
    for (let k = 0; k < 2000; k++) {
      const pace = { rate: 1000, rowsPerCommit: 7 };
      const even = dueNs(0, k, { ...pace, pacing: 'even' });
      const burst = dueNs(0, k, { ...pace, pacing: 'burst' });
      assert.ok(burst <= even && even - burst < 1e9);
    }
  });
});

describe('a record of the queue', () => {
  it('has a place of its own for each of its numbers', () => {
    const places = Object.values(RECORD).sort();
    assert.deepEqual(places, [0, 1, 2]);
    assert.equal(RECORD_BYTES, places.length * Float64Array.BYTES_PER_ELEMENT);
  });
});
