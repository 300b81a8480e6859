import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../src/workload/random.ts';
import { countInBins, isUniform } from './chi-square.ts';

const WORD = 2n ** 32n;

/** xoshiro128** as its authors publish it (prng.di.unimi.it/xoshiro128starstar.c), in exact integers. */
function* published(start: readonly bigint[]): Generator<number, never> {
  let [s0, s1, s2, s3] = start as [bigint, bigint, bigint, bigint];
  for (;;) {
    yield Number((rotateLeft((s1 * 5n) % WORD, 7n) * 9n) % WORD);
    const t = (s1 << 9n) % WORD;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotateLeft(s3, 11n);
  }
}

function rotateLeft(x: bigint, by: bigint): bigint {
  return ((x << by) | (x >> (32n - by))) % WORD;
}

function rotateRight(x: bigint, by: bigint): bigint {
  return rotateLeft(x, 32n - by);
}

/** The inverse of an odd number modulo 2^32, by Newton's iteration. */
function inverse(odd: bigint): bigint {
  let x = odd;
  for (let i = 0; i < 5; i++) x = (((x * (2n - odd * x)) % WORD) + WORD) % WORD;
  return x;
}

/** The state from which the generator gave these four outputs; every step of it can be undone. */
function stateBehind(outputs: readonly number[]): bigint[] {
  const [a, b, c, d] = outputs.map((output) => {
    const product = rotateRight((BigInt(output) * inverse(9n)) % WORD, 7n);
    return (product * inverse(5n)) % WORD;
  }) as [bigint, bigint, bigint, bigint];
  const s0s2 = a ^ b;
  const s2Next = s0s2 ^ ((a << 9n) % WORD);
  const s0Next = c ^ b ^ s2Next;
  const s2Third = s2Next ^ s0Next ^ ((b << 9n) % WORD);
  const s0Third = d ^ c ^ s2Third;
  const s3 = rotateRight(s0Third ^ s0Next ^ b, 11n) ^ a;
  const s0 = s0Next ^ s3 ^ a;
  return [s0, a, s0s2 ^ s0, s3];
}

function take(random: Random, n: number): number[] {
  return Array.from({ length: n }, () => random.next());
}

function started(seed: number, stream = 0, index = 0): Random {
  const random = new Random();
  random.seed(seed, stream, index);
  return random;
}

describe('Random', () => {
  it('is xoshiro128**: the state behind four outputs predicts the next thousand', () => {
    const vector = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849];
    const reference = published([1n, 2n, 3n, 4n]);
    assert.deepEqual(
      vector.map(() => reference.next().value),
      vector,
    );
    assert.deepEqual(stateBehind(vector.slice(0, 4)), [1n, 2n, 3n, 4n]);
    for (const seed of [0, 1, 12345, 2 ** 53 - 1]) {
      const outputs = take(started(seed, 3, 7), 1000);
      const expected = published(stateBehind(outputs.slice(0, 4)));
      assert.deepEqual(
        outputs,
        outputs.map(() => expected.next().value),
      );
    }
  });

  it('gives the same stream for the same three numbers, wherever it was before', () => {
    const random = started(5, 6, 7);
    const first = take(random, 100);
    random.seed(1, 1, 1);
    take(random, 13);
    random.seed(5, 6, 7);
    assert.deepEqual(take(random, 100), first);
  });

  it('gives another stream when any of the three numbers changes, beyond 32 bits too', () => {
    const points = [0, 1, 2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 33, 2 ** 52, 2 ** 53 - 1];
    const seen = new Set<string>();
    for (const seed of points)
      for (const stream of points)
        for (const index of points) seen.add(take(started(seed, stream, index), 2).join());
    assert.equal(seen.size, points.length ** 3);
  });

  it('has no two streams alike among a hundred thousand', () => {
    const random = new Random();
    const seen = new Set<string>();
    const n = 46;
    for (let seed = 0; seed < n; seed++)
      for (let stream = 0; stream < n; stream++)
        for (let index = 0; index < n; index++) {
          random.seed(seed, stream, index);
          seen.add(`${random.next()},${random.next()},${random.next()}`);
        }
    assert.equal(seen.size, n ** 3);
  });

  it('gives neighbouring seeds, streams and indexes unrelated outputs: half the bits differ', () => {
    const neighbours = [
      (i: number) => [started(i, 1, 1), started(i + 1, 1, 1)],
      (i: number) => [started(1, i, 1), started(1, i + 1, 1)],
      (i: number) => [started(1, 1, i), started(1, 1, i + 1)],
    ];
    const trials = 2000;
    for (const pair of neighbours) {
      let different = 0;
      for (let i = 0; i < trials; i++) {
        const [a, b] = pair(i) as [Random, Random];
        different += bitsSet(a.next() ^ b.next());
      }
      const deviation = Math.sqrt(trials * 32) / 2;
      assert.ok(Math.abs(different - trials * 16) < 5 * deviation, `${different} bits differ`);
    }
  });

  it('draws whole numbers below n evenly, for small and large n', () => {
    const random = started(1);
    for (const n of [2, 3, 10, 500, 1000, 100_000, 2 ** 31 - 1, 2 ** 32]) {
      const values = Array.from({ length: 40_000 }, () => random.below(n));
      for (const value of values) assert.ok(Number.isInteger(value) && value >= 0 && value < n);
      assert.ok(isUniform(countInBins(values, n, Math.min(n, 50))), `below(${n})`);
    }
    assert.equal(random.below(1), 0);
  });

  it('draws whole numbers below 2^53 evenly, ends and odd numbers included', () => {
    const random = started(2);
    for (const n of [7, 2 ** 31 + 11, 2 ** 40 + 1, 2 ** 53]) {
      const values = Array.from({ length: 40_000 }, () => random.belowLarge(n));
      for (const value of values) assert.ok(Number.isInteger(value) && value >= 0 && value < n);
      assert.ok(isUniform(countInBins(values, n, Math.min(n, 50))), `belowLarge(${n})`);
    }
    const odd = Array.from({ length: 10_000 }, () => random.belowLarge(2 ** 53) % 2);
    assert.ok(isUniform(countInBins(odd, 2, 2)));
    assert.equal(random.belowLarge(1), 0);
  });
});

function bitsSet(word: number): number {
  let bits = 0;
  for (let rest = word >>> 0; rest > 0; rest = (rest & (rest - 1)) >>> 0) bits++;
  return bits;
}
