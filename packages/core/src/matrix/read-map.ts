import type { z } from 'zod';
import { nearest } from '../workload/workload.ts';
import { describeValue, type PlanPath, type Problems } from './problem.ts';

/** True for what YAML calls a map. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a value by its schema.
 *
 * @returns what the schema makes of it; undefined when there are problems, which are then collected
 */
export function readValue<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: PlanPath,
  problems: Problems,
): T | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const inner = issue.path as (string | number)[];
    const expected = issue.message
      .replace(/^(?:Invalid|Too)[^:]*: /, '')
      .replace(/, received \w+$/, '');
    const got = lookUp(value, inner);
    if (got === undefined && inner.length > 0) {
      const missing = `missing key "${inner.at(-1)}": ${expected}`;
      problems.add([...path, ...inner.slice(0, -1)], missing);
    } else {
      problems.add([...path, ...inner], `${expected}, got ${describeValue(got)}`);
    }
  }
  return undefined;
}

/** Reads a map by its schema; a key that the schema does not have is a problem, with the nearest one. */
export function readMap<T>(
  schema: z.ZodType<T> & { readonly shape: Readonly<Record<string, unknown>> },
  value: unknown,
  path: PlanPath,
  problems: Problems,
): T | undefined {
  const keys = Object.keys(schema.shape);
  if (!isMap(value)) {
    problems.add(path, `expected a map of ${keys.join(', ')}, got ${describeValue(value)}`);
    return undefined;
  }
  const areKnown = checkKeys(value, keys, path, problems);
  const read = readValue(schema, value, path, problems);
  return areKnown ? read : undefined;
}

/** Collects the keys of a map that are not among the known ones; true when all are. */
export function checkKeys(
  map: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: PlanPath,
  problems: Problems,
): boolean {
  const unknown = Object.keys(map).filter((key) => !known.includes(key));
  for (const key of unknown) {
    problems.add([...path, key], `unknown key "${key}"${didYouMean(key, known)}`, 'key');
  }
  return unknown.length === 0;
}

/** The end of a message on an unknown name: the nearest known one, else all of them. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === null ? ` (known: ${known.join(', ')})` : `, did you mean "${near}"?`;
}

function lookUp(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined | null)?.[key],
    value,
  );
}
