/** A share, 0 to 1. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

/** A difference of two shares in points of a hundred, with its sign. */
export function signedPoints(change: number): string {
  return `${change > 0 ? '+' : ''}${(100 * change).toFixed(2)}`;
}
