/** Samples by stack: frames from the outermost to the innermost, joined by `;`. */
export type FoldedStacks = ReadonlyMap<string, number>;

/** What was sampled of one role in a window of a step. */
export interface StepProfile {
  readonly client: number;
  readonly role: string;
  /** As perf names it: `cycles`, `cpu-clock`; `:u` where the kernel's part was not permitted. */
  readonly event: string;
  /** How stacks were walked: `fp` by frame pointers, `dwarf` by unwind tables from copies of the stack. */
  readonly callGraph: CallGraph;
  readonly frequencyHz: number;
  /** The window, seconds since the step's start. */
  readonly fromS: number;
  readonly toS: number;
  readonly stacks: FoldedStacks;
}

/** A profile that is kept, and the run and step it is of. */
export interface RunProfile extends StepProfile {
  readonly runId: string;
  readonly tag: string;
  readonly step: string;
}

export const CALL_GRAPHS = ['fp', 'dwarf'] as const;
export type CallGraph = (typeof CALL_GRAPHS)[number];

/** Marks a frame of the kernel at the end of its name, as other tools for folded stacks do. */
export const KERNEL_MARK = '_[k]';

export function totalSamples(stacks: FoldedStacks): number {
  let total = 0;
  for (const samples of stacks.values()) total += samples;
  return total;
}

/** Adds up stacks, of several clients say. */
export function mergeStacks(parts: readonly FoldedStacks[]): FoldedStacks {
  const merged = new Map<string, number>();
  for (const part of parts) {
    for (const [stack, samples] of part) merged.set(stack, (merged.get(stack) ?? 0) + samples);
  }
  return merged;
}

/**
 * Without the frames outside of `main`, where a stack has it: which of them are seen (`_start`,
 * `__libc_start_call_main`) depends on how stacks are walked, and two profiles could not be laid over each other.
 */
export function fromMain(stacks: FoldedStacks): FoldedStacks {
  return mergeStacks(
    [...stacks].map(([stack, samples]) => {
      const frames = stack.split(';');
      const from = Math.max(0, frames.indexOf('main'));
      return new Map([[frames.slice(from).join(';'), samples]]);
    }),
  );
}

/** The text form that flamegraph.pl, speedscope and others read: `main;f;g 12`, a line each, sorted. */
export function foldedText(stacks: FoldedStacks): string {
  return [...stacks]
    .map(([stack, samples]) => `${stack} ${samples}\n`)
    .sort()
    .join('');
}

/** Reads what `foldedText` wrote. */
export function parseFolded(text: string): FoldedStacks {
  const stacks = new Map<string, number>();
  for (const line of text.split('\n')) {
    const at = line.lastIndexOf(' ');
    if (at > 0) stacks.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return stacks;
}
