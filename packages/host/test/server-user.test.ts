import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunError, UsageError } from '@ibench/core';
import { serverUser } from '../src/postgres/server-user.ts';

const PASSWD = `root:x:0:0:root:/root:/bin/bash
toor:x:0:0:root again:/root:/bin/sh
# a comment
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash
halfway:x:7
nogroup:x:1001::no group:/home/nogroup:/bin/sh
alice:x:1000:1000::/home/alice:/bin/bash
`;
const without = (...names: string[]): string =>
  PASSWD.split('\n')
    .filter((line) => !names.includes(line.split(':')[0] as string))
    .join('\n');

test('an ordinary user runs the server as itself, and cannot choose another', () => {
  assert.equal(serverUser(undefined, PASSWD, false), null);
  assert.throws(
    () => serverUser('postgres', PASSWD, false),
    (error: Error) =>
      error instanceof UsageError && /^--server-user postgres: only root/.test(error.message),
  );
});

test('root runs the server as postgres, or as nobody where there is no postgres', () => {
  assert.deepEqual(serverUser(undefined, PASSWD, true), { name: 'postgres', uid: 101, gid: 104 });
  assert.deepEqual(serverUser(undefined, without('postgres'), true), {
    name: 'nobody',
    uid: 65534,
    gid: 65534,
  });
});

test('root can name any user that is not root', () => {
  assert.deepEqual(serverUser('alice', PASSWD, true), { name: 'alice', uid: 1000, gid: 1000 });
  for (const name of ['root', 'toor', 'mallory', 'halfway', 'nogroup', '']) {
    assert.throws(
      () => serverUser(name, PASSWD, true),
      (error: Error) =>
        error instanceof UsageError &&
        error.message.startsWith(
          `--server-user ${name}: expected an existing user other than root`,
        ),
      name,
    );
  }
});

test('where there is no user for the server, the message says how to get one', () => {
  assert.throws(
    () => serverUser(undefined, without('postgres', 'nobody'), true),
    (error: Error) => error instanceof RunError && /useradd.*--server-user/.test(error.message),
  );
});

test('the user of this very process is found out', () => {
  const user = serverUser(undefined);
  if (process.getuid?.() === 0) assert.notEqual(user?.uid, 0);
  else assert.equal(user, null);
});
