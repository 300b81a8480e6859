import { UsageError } from '../errors.ts';
import type { InsertMethod } from '../workload/dialect.ts';

/** Client libraries that the load generator can use. The first is the default, and never given up silently. */
export const DRIVERS = ['libpq', 'postgres.js'] as const;
export type Driver = (typeof DRIVERS)[number];

/** Why postgres.js cannot do what a method of inserting needs; methods that are not here work with both. */
const POSTGRES_JS_LACKS: Readonly<Partial<Record<InsertMethod, string>>> = {
  copy: 'it does not tell how many rows a COPY has written',
  pipeline: 'it cannot make several statements one transaction in one round trip',
};

/**
 * Checks that a driver can insert by a method.
 *
 * @throws UsageError with the reason
 */
export function checkDriver(driver: Driver, method: InsertMethod): void {
  const reason = driver === 'postgres.js' ? POSTGRES_JS_LACKS[method] : undefined;
  if (reason === undefined) return;
  throw new UsageError(
    `--driver postgres.js does not do insert_method=${method}: ${reason}; use --driver libpq, or another method`,
  );
}
