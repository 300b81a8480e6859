/** Keys and positions that lead from the top of a plan to a value, as in `['builds', 0, 'tag']`. */
export type PlanPath = readonly (string | number)[];

/** Something that is wrong in a plan. */
export interface PlanProblem {
  readonly path: PlanPath;
  /** Whether the key or its value is wrong; a key that is missing is a problem of the map's value. */
  readonly at: 'key' | 'value';
  /** What was expected, and what came. */
  readonly message: string;
}

/** Collects the problems of one plan, in the order in which they are found. */
export class Problems {
  readonly #list: PlanProblem[] = [];

  get list(): readonly PlanProblem[] {
    return this.#list;
  }

  add(path: PlanPath, message: string, at: PlanProblem['at'] = 'value'): void {
    this.#list.push({ path, at, message });
  }
}

/** A value from a file, short, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
