/** Writes a whole number 0 ≤ n < 2^53 in decimal at `at`; returns the position after it. */
export function writeNumber(target: Uint8Array, at: number, n: number): number {
  let digits = 1;
  for (let bound = 10; n >= bound; bound *= 10) digits++;
  const end = at + digits;
  let rest = n;
  for (let i = end - 1; i >= at; i--) {
    const quotient = rest < 2147483648 ? (rest / 10) | 0 : Math.floor(rest / 10);
    target[i] = 48 + (rest - quotient * 10);
    rest = quotient;
  }
  return end;
}

/** Copies bytes to `at`; returns the position after them. */
export function writeBytes(target: Uint8Array, at: number, bytes: Uint8Array): number {
  target.set(bytes, at);
  return at + bytes.length;
}
