/** What the reader has chosen. */
export interface State {
  readonly hidden: ReadonlySet<number>;
  readonly overlay: boolean;
  /** Seconds shown by step; a step that is not here is shown whole. */
  readonly ranges: ReadonlyMap<string, readonly [from: number, to: number]>;
}

type Listener = () => void;

let state: State = { hidden: new Set(), overlay: false, ranges: new Map() };
const listeners: Listener[] = [];

export function current(): State {
  return state;
}

/** Changes some of it and tells all who want to know. */
export function change(changes: Partial<State>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

export function onChange(listener: Listener): void {
  listeners.push(listener);
}

/** Shows these seconds of a step, or all of them. */
export function zoom(step: string, range: readonly [number, number] | null): void {
  const ranges = new Map(state.ranges);
  if (range === null) ranges.delete(step);
  else ranges.set(step, range);
  change({ ranges });
}
