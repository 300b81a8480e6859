import fs from 'node:fs';
import path from 'node:path';
import {
  brandTag,
  checkDriver,
  type Driver,
  type Pin,
  type PinMode,
  UsageError,
  type Workload,
} from '@ibench/core';
import { allowedCpus, libpqFault } from '@ibench/host';

/** How the load generator works, beside what the workload says. */
export interface LoadOptions {
  readonly driver: Driver;
  /** Which libpq; null: the embedded one. */
  readonly library: string | null;
  /** Workers poll for answers instead of sleeping. */
  readonly spin: boolean;
  readonly pin: Pin;
}

/** What the user said about it. */
export interface LoadChoice {
  readonly driver: Driver;
  readonly libpq: string | undefined;
  readonly spin: boolean;
  readonly pin: PinMode;
}

/**
 * Checks what the user said about the load generator, also against the workload and this host.
 *
 * @throws UsageError for what does not go together
 */
export function readLoadOptions(choice: LoadChoice, workload: Workload): LoadOptions {
  const { driver, libpq, spin } = choice;
  checkDriver(driver, workload.insert_method);
  if (driver !== 'libpq' && libpq !== undefined) {
    throw new UsageError(`--libpq ${libpq}: not used with --driver ${driver}; give one of the two`);
  }
  if (driver !== 'libpq' && spin) {
    throw new UsageError(`--spin: expected --driver libpq, the only one that can poll`);
  }
  if (spin && choice.pin === 'same') {
    throw new UsageError(
      '--spin --pin same: a worker that polls would keep its backend from the CPU they share; use --pin apart',
    );
  }
  const pin = { mode: choice.pin, cpus: allowedCpus() };
  if (pin.mode === 'apart' && pin.cpus.length < 2) {
    throw new UsageError(
      `--pin apart: expected at least two CPUs, this process may only use CPU ${pin.cpus.join()}`,
    );
  }
  const library = libpq === undefined ? null : path.resolve(libpq);
  if (library !== null && !fs.existsSync(library)) {
    throw new UsageError(`--libpq ${libpq}: no such file`);
  }
  const fault = library === null ? null : libpqFault(library);
  if (fault !== null)
    throw new UsageError(
      `--libpq ${libpq}: is no libpq that can be loaded (${fault}); name another, or use --driver postgres.js`,
    );
  return { driver, library, spin, pin };
}

/**
 * The label of a run in tables: numbers of a build for finding bugs, from another driver, of polling workers
 * or of pinned processes are not comparable with others, so that the tag always says so.
 */
export function labelOf(
  tag: string,
  { driver, spin, pin }: LoadOptions,
  isDebugBuild: boolean,
): string {
  const marks = [
    ...(isDebugBuild ? ['debug build'] : []),
    ...(driver === 'libpq' ? [] : [driver]),
    ...(spin ? ['spin'] : []),
    ...(pin.mode === 'none' ? [] : [`pin=${pin.mode}`]),
  ];
  return brandTag(tag, marks);
}
