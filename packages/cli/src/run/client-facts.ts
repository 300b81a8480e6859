import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { saveRunFacts } from '@ibench/store';
import type { RunContext } from './context.ts';

/** Keeps what is known of the load generator before it starts. */
export function recordClient({ store, runKey, server, pin }: RunContext): void {
  const connect = server.connect('');
  const library = connect.driver === 'libpq' ? connect.library : null;
  const facts = new Map([
    ['driver', connect.driver],
    ['library', library],
    ['library_sha256', library === null ? null : sha256(library)],
    ['spin', String(connect.driver === 'libpq' && connect.spin)],
    ['pin', pin.mode],
    ['cpus', pin.cpus.join(' ')],
    ['node', process.version],
  ]);
  saveRunFacts(store, runKey, 'client', facts);
}

/**
 * Keeps the version of the driver as the workers found it.
 *
 * @param library name and version: `libpq 18.4`
 */
export function recordDriverVersion({ store, runKey }: RunContext, library: string): void {
  const version = library.slice(library.lastIndexOf(' ') + 1);
  saveRunFacts(store, runKey, 'client', new Map([['driver_version', version]]));
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
