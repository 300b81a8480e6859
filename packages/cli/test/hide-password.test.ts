import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hidePassword } from '../src/hide-password.ts';

test('stars stand for the password of a connection string, in whichever form', () => {
  const cases: [argument: string, shown: string][] = [
    ['postgres://me:hidden@db1/x', 'postgres://me:***@db1/x'],
    ['--server=postgresql://me:hidden@[::1]:5432/x', '--server=postgresql://me:***@[::1]:5432/x'],
    ['postgres://me:hid@den/@db1/x', 'postgres://me:***@db1/x'],
    [
      'postgres://me@db1/x?password=hidden&sslmode=require',
      'postgres://me@db1/x?password=***&sslmode=require',
    ],
    [String.raw`host=db1 password = 'hid \' den' dbname=x`, 'host=db1 password = *** dbname=x'],
    ['password=hidden', 'password=***'],
    ["password='hidden", 'password=***'],
  ];
  for (const [argument, shown] of cases) assert.equal(hidePassword(argument), shown);
});

test('what has no password stays as it is', () => {
  for (const argument of ['run', '--tag', 'a:b@c', 'postgres://me@db1:5432/x', 'rows=1000']) {
    assert.equal(hidePassword(argument), argument);
  }
});
