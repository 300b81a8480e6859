import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucketIndex, bucketUpperUs, decimalIndex, sparseCounts } from '../src/histogram.ts';
import {
  BLOCK_BYTES,
  type BlockView,
  counter,
  RING_SECONDS,
  SECOND_FIELDS,
  viewBlock,
} from '../src/load/block.ts';
import { Recorder } from '../src/load/recorder.ts';
import { Random } from '../src/workload/random.ts';

/** A start as CLOCK_MONOTONIC has it after months: doubles of ns still have to tell 100 ns apart. */
const START = 3e16;

function newBlock(): BlockView {
  return viewBlock(new ArrayBuffer(BLOCK_BYTES));
}

function slot(block: BlockView, second: number): number[] {
  const at = (second % RING_SECONDS) * SECOND_FIELDS;
  return [...block.ring.slice(at, at + SECOND_FIELDS)];
}

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

describe('Recorder', () => {
  it('counts every operation in the histogram, the decimal buckets and the seconds alike', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    const random = new Random();
    random.seed(1, 1, 1);
    let ticks = 0;
    let rows = 0;
    let slowest = 0;
    let sentNs = START;
    const n = 5000;
    for (let i = 0; i < n; i++) {
      const each = random.below(2 ** random.below(25));
      const count = random.below(100);
      recorder.record(sentNs, sentNs + each * 100, count);
      sentNs += each * 100 + 800;
      ticks += each;
      rows += count;
      slowest = Math.max(slowest, each);
    }
    assert.equal(counter(block, 'operations'), n);
    assert.equal(counter(block, 'rows'), rows);
    assert.equal(counter(block, 'serviceSum'), ticks);
    assert.equal(counter(block, 'serviceMax'), slowest);
    assert.equal(sum(block.service), n);
    assert.equal(sum(block.serviceDecimal), n);
    const seconds = Array.from({ length: RING_SECONDS }, (_, second) => slot(block, second));
    assert.equal(sum(seconds.map((fields) => fields[1]!)), n);
    assert.equal(sum(seconds.map((fields) => fields[2]!)), rows);
    assert.equal(Math.max(...seconds.map((fields) => fields[3]!)), Math.ceil(slowest / 10));
    assert.equal(sum(block.response), 0);
  });

  it('puts a duration into the bucket that holds it', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START, START + 1_234_500, 1);
    assert.deepEqual(sparseCounts(block.service), [[bucketIndex(12_345), 1]]);
    assert.ok(bucketUpperUs(bucketIndex(12_345)) >= 1234.5);
    assert.equal(block.serviceDecimal[decimalIndex(12_345)], 1);
  });

  it('keeps response times, from when a statement was due, apart from service times', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START + 2e9, START + 2.001e9, 50);
    recorder.recordResponse(START, START + 2.001e9);
    assert.equal(counter(block, 'serviceMax'), 10_000);
    assert.equal(counter(block, 'responseMax'), 20_010_000);
    assert.equal(counter(block, 'responseSum'), 20_010_000);
    assert.equal(counter(block, 'responseCount'), 1);
    assert.equal(counter(block, 'operations'), 1);
    assert.deepEqual(sparseCounts(block.response), [[bucketIndex(20_010_000), 1]]);
    assert.equal(block.responseDecimal[decimalIndex(20_010_000)], 1);
  });

  it('takes a response that ends before it was due, by a rounding of clocks, as immediate', () => {
    const block = newBlock();
    new Recorder(block, START).recordResponse(START + 1000, START);
    assert.equal(block.response[0], 1);
    assert.equal(counter(block, 'responseMax'), 0);
  });

  it('counts an operation in the second in which it ended', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START + 0.5e9, START + 0.999e9, 5);
    recorder.record(START + 0.999e9, START + 1.001e9, 7);
    assert.deepEqual(slot(block, 0), [1, 1, 5, 499_000]);
    assert.deepEqual(slot(block, 1), [2, 1, 7, 2000]);
    assert.deepEqual(slot(block, 2), [0, 0, 0, 0]);
  });

  it('takes a statement that was not done as a slowest response of the last second, not as an operation', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START + 5e9, START + 5.1e9, 5);
    recorder.recordUnfinished(START + 5.2e9, START + 10e9);
    assert.deepEqual(slot(block, 5), [6, 1, 5, 100_000]);
    assert.deepEqual(slot(block, 9), [10, 0, 0, 4_800_000]);
    assert.deepEqual(slot(block, 10), [0, 0, 0, 0]);
    assert.equal(counter(block, 'serviceMax'), 48_000_000);
    assert.equal(counter(block, 'operations'), 1);
    assert.equal(counter(block, 'rows'), 5);
    assert.equal(counter(block, 'serviceSum'), 1_000_000);
    for (const counts of [block.service, block.serviceDecimal]) assert.equal(sum(counts), 1);
  });

  it('takes it as a slowest response from when it was due, whether it was sent or not', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.recordResponse(START + 5e9, START + 5.1e9);
    recorder.recordUnfinishedResponse(START + 4e9, START + 10e9);
    recorder.recordUnfinishedResponse(START + 8e9, START + 10e9);
    recorder.recordUnfinishedResponse(START + 11e9, START + 10e9);
    assert.equal(counter(block, 'responseMax'), 60_000_000);
    assert.equal(counter(block, 'responseCount'), 1);
    assert.equal(counter(block, 'responseSum'), 1_000_000);
    for (const counts of [block.response, block.responseDecimal]) assert.equal(sum(counts), 1);
    assert.equal(counter(block, 'serviceMax'), 0);
  });

  it('never lowers a slowest response by one that was not done', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START, START + 1.5e9, 5);
    recorder.recordUnfinished(START + 1.6e9, START + 2e9);
    recorder.recordUnfinished(START + 2.1e9, START + 2e9);
    assert.deepEqual(slot(block, 1), [2, 1, 5, 1_500_000]);
    assert.equal(counter(block, 'serviceMax'), 15_000_000);
  });

  it('uses a slot of the ring again for a later second, from zero', () => {
    const block = newBlock();
    const recorder = new Recorder(block, START);
    recorder.record(START + 3e9, START + 3.9e9, 5);
    const later = 3 + RING_SECONDS;
    recorder.record(START + later * 1e9, START + later * 1e9 + 1000, 7);
    assert.deepEqual(slot(block, later), [later + 1, 1, 7, 1]);
  });

  it('counts a duration beyond the histogram in its last bucket and keeps the true maximum', () => {
    const block = newBlock();
    new Recorder(block, START).record(START, START + 1000e9, 1);
    assert.equal(block.service.at(-1), 1);
    assert.equal(counter(block, 'serviceMax'), 1000e7);
    assert.equal(block.serviceDecimal[9], 1);
  });
});
