import type { Payload } from './payload.ts';

export interface Frame {
  readonly index: number;
  readonly name: string;
  readonly depth: number;
  /** Shares of all samples, 0 to 1. */
  readonly now: number;
  readonly self: number;
  readonly base: number;
  readonly parent: Frame | null;
  readonly children: Frame[];
  /** Left edge, as a share of the whole width. */
  x: number;
}

/** How wide a frame is: by its share of the profile, or of the base. */
export type ShareOf = (frame: Frame) => number;

/** The tree of a payload, parents before their children; the first frame is the root. */
export function readFrames({ samples, baseSamples, names, frames }: Payload): Frame[] {
  const all: Frame[] = [];
  const path: Frame[] = [];
  for (let i = 0; i < frames.length; i += 5) {
    const [name = 0, depth = 0, total = 0, self = 0, base = 0] = frames.slice(i, i + 5);
    const parent = depth === 0 ? null : (path[depth - 1] as Frame);
    const frame: Frame = {
      index: all.length,
      name: names[name] ?? '',
      depth,
      now: samples === 0 ? 0 : total / samples,
      self: samples === 0 ? 0 : self / samples,
      base: baseSamples === 0 ? 0 : base / baseSamples,
      parent,
      children: [],
      x: 0,
    };
    parent?.children.push(frame);
    path[depth] = frame;
    all.push(frame);
  }
  return all;
}

/** Children stand side by side over their parent, whose own samples are the gap at the right. */
export function layOut(frames: readonly Frame[], shareOf: ShareOf): void {
  const edge = new Map<Frame, number>();
  for (const frame of frames) {
    const { parent } = frame;
    frame.x = parent === null ? 0 : (edge.get(parent) ?? parent.x);
    if (parent !== null) edge.set(parent, frame.x + shareOf(frame));
  }
}

/** Is the other frame this one, or above it? */
export function contains(frame: Frame, other: Frame): boolean {
  let one: Frame | null = other;
  while (one !== null && one.depth > frame.depth) one = one.parent;
  return one === frame;
}
