/**
 * The generator behind every row and parameter: xoshiro128** (Blackman and Vigna, 2018), 128 bits of
 * state in four 32-bit words, seeded through splitmix32-style mixing so that neighbouring seeds give
 * unrelated streams. All state is in one Uint32Array: no allocation after construction.
 */
export class Random {
  readonly #s: Uint32Array = new Uint32Array(4);

  /** Restarts the stream at a point named by up to three numbers (whole, 0 ≤ n < 2^53). */
  seed(seed: number, stream: number, index: number): void {
    let h = 0x9e3779b9;
    h = mix(h ^ low(seed));
    h = mix(h ^ high(seed));
    h = mix(h ^ low(stream));
    h = mix(h ^ high(stream));
    h = mix(h ^ low(index));
    h = mix(h ^ high(index));
    for (let i = 0; i < 4; i++) {
      h = (h + 0x9e3779b9) >>> 0;
      this.#s[i] = mix(h ^ (low(index) + Math.imul(low(stream), 0x85ebca6b) + i));
    }
    if ((this.#s[0]! | this.#s[1]! | this.#s[2]! | this.#s[3]!) === 0) this.#s[0] = 1;
  }

  /** The next 32 random bits, 0 ≤ n < 2^32. */
  next(): number {
    const s = this.#s;
    const s0 = s[0]!;
    const s1 = s[1]!;
    const r = Math.imul(s1, 5);
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0;
    const s2 = s[2]! ^ s0;
    const s3 = s[3]! ^ s1;
    s[1] = s1 ^ s2;
    s[0] = s0 ^ s3;
    s[2] = s2 ^ (s1 << 9);
    s[3] = (s3 << 11) | (s3 >>> 21);
    return result;
  }

  /** A whole number uniform in [0, n), n ≤ 2^32; the bias is below n / 2^32. */
  below(n: number): number {
    return Math.floor((this.next() / 4294967296) * n);
  }

  /** A whole number uniform in [0, n), n ≤ 2^53, from 53 random bits. */
  belowLarge(n: number): number {
    const bits = this.next() * 2097152 + (this.next() >>> 11);
    return Math.floor((bits / 9007199254740992) * n);
  }
}

function low(n: number): number {
  return n >>> 0;
}

function high(n: number): number {
  return Math.floor(n / 4294967296) >>> 0;
}

/** Finaliser of MurmurHash3: every input bit changes every output bit with probability one half. */
function mix(value: number): number {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}
