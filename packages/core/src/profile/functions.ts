import { type FoldedStacks, totalSamples } from './stacks.ts';

/** Shares of a profile's samples that fell into a function itself, and into it or what it called; 0 to 1. */
export interface FunctionShare {
  readonly name: string;
  readonly self: number;
  readonly total: number;
}

/** All functions of a profile, those with the largest self share first. A recursive one counts once per sample. */
export function functionShares(stacks: FoldedStacks): FunctionShare[] {
  const all = totalSamples(stacks);
  const counts = new Map<string, { self: number; total: number }>();
  for (const [stack, samples] of stacks) {
    const frames = stack.split(';');
    for (const name of new Set(frames)) countOf(counts, name).total += samples;
    countOf(counts, frames.at(-1) as string).self += samples;
  }
  return [...counts]
    .map(([name, { self, total }]) => ({ name, self: self / all, total: total / all }))
    .sort((a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : 1));
}

function countOf<T extends string>(
  counts: Map<T, { self: number; total: number }>,
  name: T,
): { self: number; total: number } {
  const known = counts.get(name) ?? { self: 0, total: 0 };
  counts.set(name, known);
  return known;
}

/** A function in two profiles. */
export interface FunctionChange {
  readonly name: string;
  readonly baseSelf: number;
  readonly self: number;
  /** Difference of the self shares: 0.02 is two points of a hundred more. */
  readonly change: number;
  /** Distance from zero in standard errors of the difference of two shares. */
  readonly z: number;
}

/**
 * Functions by how much their self share changed, the largest first; each profile is 1 whatever its samples.
 * z takes samples as independent (pooled two-proportion test): below 2 a change is what chance does.
 */
export function functionChanges(base: FoldedStacks, now: FoldedStacks): FunctionChange[] {
  const before = new Map(functionShares(base).map((share) => [share.name, share.self]));
  const after = new Map(functionShares(now).map((share) => [share.name, share.self]));
  const [baseSamples, samples] = [totalSamples(base), totalSamples(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => {
      const baseSelf = before.get(name) ?? 0;
      const self = after.get(name) ?? 0;
      const change = self - baseSelf;
      const pooled = (baseSelf * baseSamples + self * samples) / (baseSamples + samples);
      const error = Math.sqrt(pooled * (1 - pooled) * (1 / baseSamples + 1 / samples));
      return { name, baseSelf, self, change, z: error === 0 ? 0 : change / error };
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.name < b.name ? -1 : 1));
}
