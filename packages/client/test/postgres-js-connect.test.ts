import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { DatabaseError } from '../src/driver/driver.ts';
import { connectPostgresJs } from '../src/driver/postgres-js.ts';

const connect = (conninfo: string) => connectPostgresJs({ driver: 'postgres.js', conninfo });

test('a server that is not there is an error at once, on a socket as over TCP', async () => {
  const nowhere = path.join(os.tmpdir(), 'no such directory');
  assert.throws(
    () => connect(`host='${nowhere}' port='5432' dbname='x' user='x'`),
    (error) => error instanceof DatabaseError && /ENOENT/.test(error.message),
  );
  const port = await closedPort();
  assert.throws(
    () => connect(`host=127.0.0.1 port=${port} dbname=x user=x`),
    (error) =>
      error instanceof DatabaseError && error.sqlstate === null && /REFUSED/.test(error.message),
  );
});

test('TLS is refused, not left out', () => {
  assert.throws(() => connect('host=localhost sslmode=verify-full'), /without TLS.*verify-full/);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
