/** Writes a whole number 0 ≤ n < 2^53 in decimal at `at`; returns the position after it. */
export function writeNumber(target: Uint8Array, at: number, n: number): number {
  if (n >= 1000000000) return writeLargeNumber(target, at, n);
  const end = at + digitsOf(n | 0);
  let rest = n | 0;
  for (let i = end - 1; i >= at; i--) {
    const quotient = (rest / 10) | 0;
    target[i] = 48 + rest - quotient * 10;
    rest = quotient;
  }
  return end;
}

function writeLargeNumber(target: Uint8Array, at: number, n: number): number {
  const high = Math.floor(n / 1000000000);
  const from = writeNumber(target, at, high);
  let rest = (n - high * 1000000000) | 0;
  for (let i = from + 8; i >= from; i--) {
    const quotient = (rest / 10) | 0;
    target[i] = 48 + rest - quotient * 10;
    rest = quotient;
  }
  return from + 9;
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
