import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { findBuild } from '../src/builds/find-build.ts';
import type { OwnServer } from '../src/engine.ts';
import { type Admin, openAdmin } from '../src/postgres/admin.ts';
import type { ServerAccess } from '../src/postgres/connection-string.ts';
import { parseConnectionString } from '../src/postgres/connection-string.ts';
import { startPostgres } from '../src/postgres/postgres-engine.ts';
import { serverUser } from '../src/postgres/server-user.ts';
import { configOf } from './server-support.ts';

/** A small server with a connection of its superuser. */
export interface TestServer {
  readonly server: OwnServer;
  readonly access: ServerAccess;
  readonly admin: Admin;
}

export async function startTestServer(t: TestContext): Promise<TestServer> {
  const runDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  fs.chmodSync(runDirectory, 0o755);
  const build = await findBuild(undefined);
  const server = await startPostgres({
    build,
    config: configOf('shared_buffers = 16MB\nfsync = off\n', build),
    user: serverUser(undefined),
    runDirectory,
    dataDirectory: path.join(runDirectory, 'data'),
    keepData: false,
    listenPort: null,
    driver: 'libpq',
    library: null,
    spin: false,
    applicationName: 'owner',
    say: () => {},
  });
  t.after(async () => {
    await server.stop();
    fs.rmSync(runDirectory, { recursive: true, force: true });
  });
  const { conninfo } = server.connect('');
  const access = parseConnectionString(
    conninfo.replace(/ (gssencmode|application_name|connect_timeout)='[^']*'/g, ''),
    { user: 'nobody', password: null },
  );
  const admin = openAdmin(access, 'test');
  t.after(() => admin.end({ timeout: 1 }));
  return { server, access, admin };
}

/** A directory that everyone may enter, removed after the test. */
export function makeDirectory(t: TestContext): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  fs.chmodSync(directory, 0o755);
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Puts a program `ssh` first in PATH for the rest of this process, which runs the command here after a
 * greeting, as logins print it.
 *
 * @param before shell commands that come first
 */
export function fakeSsh(t: TestContext, before = ''): void {
  const directory = makeDirectory(t);
  const script = `#!/bin/sh
for last; do :; done
${before}
echo 'Welcome to the other host'
exec sh -c "$last"
`;
  fs.writeFileSync(path.join(directory, 'ssh'), script, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${directory}:${PATH}`;
  t.after(() => {
    process.env.PATH = PATH;
  });
}
