import path from 'node:path';
import { UsageError } from '@ibench/core';

/** A line of a configuration file, and the include that led there; null: none did. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly from: Place | null;
}

/** `a0.conf:12`, for a comment or a table. */
export function shortPlace({ file, line }: Place): string {
  return `${path.basename(file)}:${line}`;
}

/** An error that begins with file and line and ends with the includes that led there. */
export function errorAt(place: Place, what: string, cause?: unknown): UsageError {
  const { file, line } = place;
  const options = cause === undefined ? {} : { cause };
  return new UsageError(`${file}:${line}: ${what}${describeIncludes(place)}`, options);
}

/** The includes that led to a place, the nearest first; empty where there are none. */
export function describeIncludes({ from }: Place): string {
  if (from === null) return '';
  return ` (included from ${from.file}:${from.line}${describeIncludes(from)})`;
}

/** Does something for each, and throws what is wrong with all of them as one error, a line each. */
export function forEachAtOnce<T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
): void {
  const errors: UsageError[] = [];
  items.forEach((item, index) => {
    try {
      work(item, index);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      errors.push(error);
    }
  });
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new UsageError(errors.map(({ message }) => message).join('\n'));
}
