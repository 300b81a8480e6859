/** One choice out of values some of which were lists. */
export interface Variant<T> {
  /** A value for each name, in the order of the names. */
  readonly values: Readonly<Record<string, T>>;
  /** The names whose value was a list. */
  readonly varied: readonly string[];
}

/**
 * Every choice of one element from each list; what is no list is in all of them. The first list changes
 * slowest: `{ a: [1, 2], b: [3, 4] }` gives 1 3, 1 4, 2 3, 2 4.
 */
export function variants<T>(values: Readonly<Record<string, T | readonly T[]>>): Variant<T>[] {
  const varied = Object.keys(values).filter((name) => Array.isArray(values[name]));
  return Object.entries(values)
    .reduce<Record<string, T>[]>(
      (chosen, [name, value]) => {
        const choices = Array.isArray(value) ? (value as readonly T[]) : [value as T];
        return chosen.flatMap((one) => choices.map((choice) => ({ ...one, [name]: choice })));
      },
      [{}],
    )
    .map((chosen) => ({ values: chosen, varied }));
}

/** How many variants there are, without making them. */
export function countVariants(values: Readonly<Record<string, unknown>>): number {
  return Object.values(values).reduce<number>(
    (product, value) => product * (Array.isArray(value) ? value.length : 1),
    1,
  );
}

/** A name with what was changed, `tiny,clients=4,rows=100000`: what was changed is another thing. */
export function changedName(name: string, changes: Readonly<Record<string, unknown>>): string {
  return [name, ...Object.entries(changes).map(([key, value]) => `${key}=${value}`)].join(',');
}
