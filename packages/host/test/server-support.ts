import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Build } from '../src/builds/build.ts';
import { findBuild } from '../src/builds/find-build.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { resolveConfig, type ServerConfig } from '../src/config/resolve-config.ts';
import type { OwnServer } from '../src/engine.ts';
import { type PostgresOptions, startPostgres } from '../src/postgres/postgres-engine.ts';
import { type ServerUser, serverUser } from '../src/postgres/server-user.ts';

export const IS_ROOT: boolean = process.getuid?.() === 0;

/** The user that servers of tests run as: another where this is root, else null for this one. */
export const USER: ServerUser | null = serverUser(undefined);

/** The uid that servers of tests run as. */
export const SERVER_UID: number = USER?.uid ?? (process.getuid?.() as number);

/** Settings that keep a test's server small. */
export const SMALL = 'shared_buffers = 16MB\nmax_connections = 20\nfsync = off\n';

/** A directory that everyone may enter, removed after the test. */
export function makeDirectory(t: TestContext, mode: number = 0o755): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  fs.chmodSync(directory, mode);
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A configuration with this text, as if it stood in a file. */
export function configOf(text: string, build: Build, name = 'small'): ServerConfig {
  return resolveConfig(
    loadConfig(`${name}.conf`, () => text),
    { build, memoryBytes: 0 },
  );
}

/** Options for a small server of the embedded build, its data in the run's folder. */
export async function serverOptions(
  t: TestContext,
  changes: Partial<PostgresOptions> & { readonly settings?: string } = {},
): Promise<PostgresOptions> {
  const runDirectory = changes.runDirectory ?? makeDirectory(t);
  const build = await findBuild(undefined);
  return {
    build,
    config: configOf(changes.settings ?? SMALL, build),
    user: USER,
    dataDirectory: path.join(runDirectory, 'data'),
    keepData: false,
    listenPort: null,
    library: null,
    driver: 'libpq',
    spin: false,
    applicationName: 'ibench/test/runner',
    say: () => {},
    ...changes,
    runDirectory,
  };
}

/** Starts a small server that is stopped after the test, whatever happens. */
export async function startTestServer(
  t: TestContext,
  changes: Parameters<typeof serverOptions>[1] = {},
): Promise<OwnServer> {
  let server: OwnServer | null = null;
  // Before the directory's own: what is registered first is done first.
  t.after(() => server?.stop());
  server = await startPostgres(await serverOptions(t, changes));
  return server;
}

/** Waits until a condition holds; throws with its description after a bounded time. */
export async function waitFor(what: string, condition: () => boolean): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** A value of the connection string that workers get. */
export function connectionValue(server: OwnServer, name: string): string {
  const match = new RegExp(`(?:^| )${name}='([^']*)'`).exec(server.connect('test').conninfo);
  return match?.[1] ?? '';
}
