import { UsageError } from '@ibench/core';

/**
 * The wanted ones of all steps, in the order of `all`; all where none is named.
 * @throws UsageError for a step that is not there.
 */
export function chooseSteps(
  all: readonly string[],
  wanted: readonly string[] | undefined,
): string[] {
  if (wanted === undefined) return [...all];
  const unknown = wanted.find((step) => !all.includes(step));
  if (unknown !== undefined) {
    const known = all.length === 0 ? 'none, the runs have no steps' : all.join(', ');
    throw new UsageError(`Step "${unknown}" is not among the runs; expected one of: ${known}`);
  }
  return all.filter((step) => wanted.includes(step));
}
