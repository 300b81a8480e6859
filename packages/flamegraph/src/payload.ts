import { gzipSync } from 'node:zlib';
import { type FoldedStacks, frameTree, preOrder, totalSamples } from '@ibench/core';

/** What the script in the browser draws from: the frames, parents before their children. */
interface Payload {
  /** Samples of the profile, and of the base; 0: there is none. */
  readonly samples: number;
  readonly baseSamples: number;
  readonly names: readonly string[];
  /** Five numbers a frame: name, depth, samples, samples in itself, samples of the base. */
  readonly frames: readonly number[];
}

/** The frames of a graph as a page holds them: JSON, gzip, base64. A step has a graph for each role and run. */
export function packFrames(stacks: FoldedStacks, base: FoldedStacks | null): string {
  const json = JSON.stringify(payloadOf(stacks, base));
  return gzipSync(json, { level: 9 }).toString('base64');
}

function payloadOf(stacks: FoldedStacks, base: FoldedStacks | null): Payload {
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
