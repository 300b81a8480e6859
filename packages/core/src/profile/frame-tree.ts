import type { FoldedStacks } from './stacks.ts';

/** A frame as called by its parents, with its samples; of a second profile too where two are compared. */
export interface Frame {
  readonly name: string;
  readonly depth: number;
  /** Samples in it or what it called. */
  total: number;
  self: number;
  baseTotal: number;
  readonly children: Map<string, Frame>;
}

/** The tree of all stacks under a root named `all`; with a base, frames of either profile are in it. */
export function frameTree(stacks: FoldedStacks, base: FoldedStacks = new Map()): Frame {
  const root = newFrame('all', 0);
  for (const [stack, samples] of stacks) {
    const path = descend(root, stack);
    for (const frame of path) frame.total += samples;
    (path.at(-1) as Frame).self += samples;
  }
  for (const [stack, samples] of base) {
    for (const frame of descend(root, stack)) frame.baseTotal += samples;
  }
  return root;
}

/** The frame and all below it, parents first, children by name: the same stacks are in the same place. */
export function* preOrder(frame: Frame): Generator<Frame> {
  yield frame;
  const children = [...frame.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const child of children) yield* preOrder(child);
}

function descend(root: Frame, stack: string): Frame[] {
  const path = [root];
  let frame = root;
  for (const name of stack.split(';')) {
    const next = frame.children.get(name) ?? newFrame(name, frame.depth + 1);
    frame.children.set(name, next);
    path.push(next);
    frame = next;
  }
  return path;
}

function newFrame(name: string, depth: number): Frame {
  return { name, depth, total: 0, self: 0, baseTotal: 0, children: new Map() };
}
