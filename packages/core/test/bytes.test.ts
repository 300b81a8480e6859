import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeBytes, writeNumber } from '../src/workload/bytes.ts';
import { Random } from '../src/workload/random.ts';

const LARGEST = 2 ** 53 - 1;

/** The number as writeNumber writes it into bytes that are full of `#`, from position 3 on. */
function written(n: number): string {
  const target = new TextEncoder().encode('#'.repeat(24));
  const end = writeNumber(target, 3, n);
  const text = new TextDecoder().decode(target);
  assert.equal(text.slice(0, 3) + text.slice(end), '#'.repeat(24 - (end - 3)), `around ${n}`);
  return text.slice(3, end);
}

test('a number is written as String writes it, around every power of ten and two', () => {
  const bases = [
    ...Array.from({ length: 16 }, (_, i) => 10 ** i),
    ...Array.from({ length: 53 }, (_, i) => 2 ** i),
    LARGEST,
  ];
  for (const base of bases) {
    for (let n = Math.max(0, base - 20); n <= Math.min(LARGEST, base + 20); n++) {
      assert.equal(written(n), String(n));
    }
  }
});

test('a number is written as String writes it, for random numbers of every length', () => {
  const random = new Random();
  random.seed(1, 2, 3);
  for (let bits = 1; bits <= 53; bits++) {
    for (let i = 0; i < 1000; i++) {
      const n = random.belowLarge(2 ** bits);
      assert.equal(written(n), String(n));
    }
  }
});

test('numbers ending in nines, which division could round up, keep their digits', () => {
  for (let n = LARGEST - (LARGEST % 10) - 1; n > LARGEST - 100_000; n -= 10) {
    assert.equal(written(n), String(n));
  }
});

test('bytes are copied to their place and nowhere else', () => {
  const target = new TextEncoder().encode('........');
  const source = new TextEncoder().encode('abcdef');
  assert.equal(writeBytes(target, 1, source.subarray(0, 2)), 3);
  assert.equal(writeBytes(target, 4, source.subarray(3, 6)), 7);
  assert.equal(writeBytes(target, 7, source.subarray(3, 3)), 7);
  assert.equal(new TextDecoder().decode(target), '.ab.def.');
});
