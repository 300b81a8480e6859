/** Writes a whole number 0 ≤ n < 2^53 in decimal at `at`; returns the position after it. */
export function writeNumber(target: Uint8Array, at: number, n: number): number {
  if (n < BILLION) return writeDigits(target, at, digitsOf(n | 0), n | 0);
  const high = Math.floor(n / BILLION);
  return writeDigits(target, writeNumber(target, at, high), 9, (n - high * BILLION) | 0);
}

/** Above it, arithmetic with 32-bit numbers does not do. */
const BILLION = 1_000_000_000;

/** The last `digits` digits of a whole number below 10^9, with zeros in front where it has fewer. */
function writeDigits(target: Uint8Array, at: number, digits: number, n: number): number {
  const end = at + digits;
  let rest = n;
  for (let i = end - 1; i >= at; i--) {
    const quotient = (rest / 10) | 0;
    target[i] = 48 + rest - quotient * 10;
    rest = quotient;
  }
  return end;
}

/** Digits of a whole number below 10^9; most numbers of a row are short. */
function digitsOf(n: number): number {
  if (n < 100) return n < 10 ? 1 : 2;
  if (n < 10000) return n < 1000 ? 3 : 4;
  if (n < 1000000) return n < 100000 ? 5 : 6;
  if (n < 100000000) return n < 10000000 ? 7 : 8;
  return 9;
}

/** Copies bytes to `at`; returns the position after them. */
export function writeBytes(target: Uint8Array, at: number, bytes: Uint8Array): number {
  target.set(bytes, at);
  return at + bytes.length;
}
