/** Registers what must be done when the work is over, whether it succeeded or not. */
export type Release = (undo: () => void | Promise<void>) => void;

/**
 * Runs `work` and then everything it registered, last first, also when it fails. An error of the work
 * wins over errors of the clean-up; of those the first is thrown when all have run.
 */
export async function withReleasers<T>(work: (release: Release) => Promise<T>): Promise<T> {
  const undos: (() => void | Promise<void>)[] = [];
  let outcome: { readonly value: T } | { readonly error: unknown };
  try {
    outcome = { value: await work((undo) => undos.push(undo)) };
  } catch (error) {
    outcome = { error };
  }
  const failures: unknown[] = [];
  for (const undo of undos.reverse()) {
    try {
      await undo();
    } catch (error) {
      failures.push(error);
    }
  }
  if ('error' in outcome) throw outcome.error;
  if (failures.length > 0) throw failures[0];
  return outcome.value;
}
