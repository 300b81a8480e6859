import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { serverUser } from '@ibench/host';
import { startServer, temporaryDirectory } from './support.ts';

/** The password of user `app`: rare enough to be searched for. */
export const SECRET = 'Zq7!s3cr3t-of-app';

/** A server as a user of ibench has it: it was there before the run, and is there afterwards. */
export interface UserServer {
  readonly port: number;
  readonly pid: number;
  readonly dataDirectory: string;
  /** Connection string of user `app` for its database `app`. */
  readonly url: string;
  /** Runs statements as the superuser in database `app`. */
  sql(statement: string): Promise<Readonly<Record<string, unknown>>[]>;
  /** Lets user `app` in by TLS only, with the certificate of the fixtures. */
  requireTls(): Promise<void>;
  /** Runs pg_ctl on its data as the server's user. */
  control(...args: string[]): void;
}

/** A certificate for 127.0.0.1 that signs itself, and its key. */
export const TLS: URL = new URL('../../test/fixtures/tls/', import.meta.url);

/** The superuser by the socket, `app` by password over TCP. */
const HBA = 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';

/**
 * Starts a server on a loopback port with an ordinary user `app` that owns database `app` and may do a
 * checkpoint, with nothing else allowed to it.
 */
export async function startUserServer(t: TestContext, settings = ''): Promise<UserServer> {
  const runDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-test-'));
  fs.chmodSync(runDirectory, 0o755);
  const port = await freePort();
  const user = serverUser(undefined);
  const config = `shared_buffers = 64MB\nfsync = off\n${settings}`;
  const server = await startServer(runDirectory, config, {
    listenPort: port,
    applicationName: 'the owner of the server',
  });
  const { dataDirectory, pid } = server;
  const control = (...args: string[]): void => {
    const log = fs.openSync(path.join(runDirectory, 'control.log'), 'a');
    const program = path.join(server.buildFacts.get('root') as string, 'bin', 'pg_ctl');
    spawnSync(program, [...args, '-D', dataDirectory], {
      cwd: '/',
      // The server that it starts would keep pipes open.
      stdio: ['ignore', log, log],
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    });
    fs.closeSync(log);
  };
  t.after(async () => {
    // One that was restarted is no process of ours any more.
    control('stop', '-m', 'immediate');
    await server.stop();
    fs.rmSync(runDirectory, { recursive: true, force: true });
  });
  const { conninfo } = server.connect('');
  const host = /host='([^']*)'/.exec(conninfo)?.[1] as string;
  const as = (database: string) => async (statement: string) => {
    const client = postgres({
      host,
      port,
      database,
      username: 'ibench',
      max: 1,
      fetch_types: false,
      onnotice: () => {},
    });
    try {
      return [...(await client.unsafe(statement))];
    } finally {
      await client.end({ timeout: 1 });
    }
  };
  await as('ib')(`create role app login password '${SECRET}'`);
  await as('ib')('create database app owner app');
  await as('ib')('grant pg_checkpoint to app');
  fs.writeFileSync(path.join(server.dataDirectory, 'pg_hba.conf'), HBA);
  await as('ib')('select pg_reload_conf()');
  return {
    port,
    pid,
    dataDirectory,
    url: `postgres://app:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/app`,
    sql: as('app'),
    requireTls: async () => {
      for (const name of ['server.crt', 'server.key']) {
        const file = path.join(dataDirectory, name);
        fs.copyFileSync(new URL(name, TLS), file);
        fs.chmodSync(file, 0o600);
        if (user !== null) fs.chownSync(file, user.uid, user.gid);
      }
      fs.writeFileSync(path.join(dataDirectory, 'pg_hba.conf'), HBA.replace('host ', 'hostssl '));
      await as('ib')('alter system set ssl = on');
      await as('ib')('select pg_reload_conf()');
    },
    control,
  };
}

/** The package that host uses: this package has no business with the server but for these tests. */
const postgres = createRequire(import.meta.resolve('@ibench/host'))('postgres') as (
  options: object,
) => {
  unsafe(statement: string): Promise<Readonly<Record<string, unknown>>[]>;
  end(options: { timeout: number }): Promise<void>;
};

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A directory with a program `ssh` that stands for a connection to another host: it runs the command
 * here, after a greeting as logins print it. What it was called with is in `ssh.log` beside it.
 */
export function fakeSsh(t: TestContext, before = ''): string {
  const directory = temporaryDirectory(t);
  const script = `#!/bin/sh
for last; do :; done
echo "$*" >> '${directory}/ssh.log'
${before}
echo 'Welcome to the other host'
exec sh -c "$last"
`;
  fs.writeFileSync(path.join(directory, 'ssh'), script, { mode: 0o755 });
  return directory;
}
