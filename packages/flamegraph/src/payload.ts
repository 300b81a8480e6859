import { type FoldedStacks, frameTree, preOrder, totalSamples } from '@ibench/core';

/** What the script in the browser draws from: the frames, parents before their children. */
export interface Payload {
  /** Samples of the profile, and of the base; 0: there is none. */
  readonly samples: number;
  readonly baseSamples: number;
  readonly names: readonly string[];
  /** Five numbers a frame: name, depth, samples, samples in itself, samples of the base. */
  readonly frames: readonly number[];
}

export function packFrames(stacks: FoldedStacks, base: FoldedStacks | null): Payload {
  const numbers = new Map<string, number>();
  const frames: number[] = [];
  for (const { name, depth, total, self, baseTotal } of preOrder(
    frameTree(stacks, base ?? new Map()),
  )) {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    frames.push(number, depth, total, self, baseTotal);
  }
  return {
    samples: totalSamples(stacks),
    baseSamples: base === null ? 0 : totalSamples(base),
    names: [...numbers.keys()],
    frames,
  };
}
