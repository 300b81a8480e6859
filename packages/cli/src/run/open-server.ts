import path from 'node:path';
import { RunError } from '@ibench/core';
import { type DatabaseServer, openExternalServer, startPostgres } from '@ibench/host';
import type { LoadOptions } from '../load-options.ts';
import type { ServerChoice } from '../server-choice.ts';
import { applicationName } from './context.ts';
import type { RunFolder } from './run-folder.ts';

/** What was decided about the server and how it is driven. */
export interface ServerOptions extends LoadOptions {
  readonly server: ServerChoice;
  /** Data that a server of ours starts from a copy of; null: a new database. */
  readonly source: string | null;
}

/**
 * Starts the run's server, or connects to the one that runs already.
 *
 * @param how.say told what a user should know, a line each
 * @param how.signal ends it early
 */
export async function openServer(
  { server: choice, source, driver, library, spin, pin }: ServerOptions,
  { runId, directory }: RunFolder,
  how: { readonly say: (text: string) => void; readonly signal: AbortSignal },
): Promise<DatabaseServer> {
  const common = {
    driver,
    library,
    spin,
    applicationName: applicationName(runId, 'runner'),
    ...how,
  };
  if (choice.kind === 'own') {
    const dataDirectory = choice.dataDirectory ?? path.join(directory, 'data');
    const own = { ...choice, ...common, source, runDirectory: directory, dataDirectory };
    return startPostgres(own);
  }
  const server = await openExternalServer({ ...choice, ...common, runId });
  if (pin.mode !== 'none' && !server.host.isLocal) {
    await server.stop();
    throw new RunError(`--pin ${pin.mode}: the server's processes do not run on this host`);
  }
  return server;
}
