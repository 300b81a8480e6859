/**
 * Where the worker processes and their backends run: wherever the kernel likes, each pair on one CPU, or
 * each pair on two neighbouring CPUs.
 */
export const PIN_MODES = ['none', 'same', 'apart'] as const;
export type PinMode = (typeof PIN_MODES)[number];

/** How to place workers, and on which CPUs. */
export interface Pin {
  readonly mode: PinMode;
  /** Numbers of the CPUs that may be used, rising; at least one, or two for `apart`. */
  readonly cpus: readonly number[];
}

/** The CPUs of one worker process and of its backend. */
export interface Place {
  readonly worker: number;
  readonly backend: number;
}

/**
 * Place of connection number `number` (from 0) of a step: the CPUs in turn, by ones for `same` and by
 * pairs for `apart`, so that with an even number of CPUs none has both workers and backends.
 *
 * @returns null: the kernel decides
 */
export function placeOf({ mode, cpus }: Pin, number: number): Place | null {
  if (mode === 'none') return null;
  const cpu = (turn: number): number => cpus[turn % cpus.length] as number;
  return mode === 'same'
    ? { worker: cpu(number), backend: cpu(number) }
    : { worker: cpu(2 * number), backend: cpu(2 * number + 1) };
}
