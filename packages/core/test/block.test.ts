import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUCKETS } from '../src/histogram.ts';
import {
  BLOCK_BYTES,
  blockOffset,
  CONTROL,
  COUNTERS,
  counter,
  MAX_CLIENTS,
  RING_SECONDS,
  SECOND_FIELDS,
  viewBlock,
} from '../src/load/block.ts';

const PAGE = 4096;

describe('the memory shared by the workers of a step', () => {
  it('gives every worker whole pages of its own behind the control page', () => {
    assert.equal(blockOffset(0), CONTROL.bytes);
    for (let i = 0; i < 5; i++) {
      assert.equal(blockOffset(i) % PAGE, 0);
      assert.equal(blockOffset(i + 1), blockOffset(i) + BLOCK_BYTES);
    }
  });

  it('has areas that start at multiples of 8, lie inside the block and share no byte', () => {
    const views = Object.values(viewBlock(new ArrayBuffer(BLOCK_BYTES)));
    const areas = views
      .map(({ byteOffset, byteLength }) => ({ from: byteOffset, to: byteOffset + byteLength }))
      .sort((a, b) => a.from - b.from);
    assert.equal(areas.length, 6);
    areas.forEach(({ from, to }, i) => {
      assert.equal(from % 8, 0);
      assert.ok(to <= (areas[i + 1]?.from ?? BLOCK_BYTES), `area ${i} ends at ${to}`);
    });
  });

  it('has room for all counters, seconds, buckets and decimal buckets', () => {
    const view = viewBlock(new ArrayBuffer(BLOCK_BYTES));
    assert.equal(view.counters.length, COUNTERS.length);
    assert.equal(view.ring.length, RING_SECONDS * SECOND_FIELDS);
    assert.deepEqual([view.service.length, view.response.length], [BUCKETS, BUCKETS]);
    assert.deepEqual([view.serviceDecimal.length, view.responseDecimal.length], [10, 10]);
  });

  it('can be viewed at any block of a larger memory', () => {
    const memory = new ArrayBuffer(blockOffset(2));
    viewBlock(memory, blockOffset(1)).counters[COUNTERS.indexOf('rows')] = 42;
    assert.equal(counter(viewBlock(memory, blockOffset(1)), 'rows'), 42);
    assert.equal(counter(viewBlock(memory, blockOffset(0)), 'rows'), 0);
    assert.equal(new Float64Array(memory).filter((value) => value !== 0).length, 1);
  });

  it('has a guess for every client the workload may have, behind the stop flag', () => {
    assert.ok(MAX_CLIENTS >= 1000);
    assert.ok(CONTROL.guesses >= CONTROL.stop + 4);
    assert.equal(CONTROL.guesses % 8, 0);
    assert.ok(CONTROL.guesses + 8 * MAX_CLIENTS <= CONTROL.bytes);
  });
});
