import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '@ibench/core';
import { conninfo } from '../src/postgres/admin.ts';
import { describeAccess, parseConnectionString } from '../src/postgres/connection-string.ts';

const DEFAULTS = { user: 'me', password: null };
const PLAIN = { mode: 'prefer', rootCert: null, cert: null, key: null };

test('URLs and pairs say the same', () => {
  const expected = {
    host: 'db1',
    port: 5433,
    database: 'my db',
    user: 'a@b',
    password: "p w/'\\:",
    ssl: { ...PLAIN, mode: 'require' },
  };
  for (const text of [
    "postgres://a%40b:p%20w%2F'%5C%3A@db1:5433/my%20db?sslmode=require",
    "postgresql://a%40b@db1:5433/my%20db?sslmode=require&password=p%20w%2F'%5C%3A",
    String.raw`host=db1 port = 5433 dbname='my db' user=a@b password='p w/\'\\:' sslmode=require`,
  ]) {
    assert.deepEqual(parseConnectionString(text, DEFAULTS), expected, text);
  }
});

test('what is not said is the default', () => {
  const access = parseConnectionString('postgres://[::1]/x', { user: 'me', password: 'env' });
  const rest = { host: '::1', port: 5432, database: 'x', user: 'me', password: 'env', ssl: PLAIN };
  assert.deepEqual(access, rest);
});

test('a socket is named by its directory', () => {
  for (const text of [
    'postgres:///x?host=/run/pg',
    'postgres://me@/x?host=/run/pg',
    'postgres://me:p@:5433/x?host=/run/pg',
    'postgres://%2Frun%2Fpg/x',
    'host=/run/pg dbname=x',
  ]) {
    assert.equal(parseConnectionString(text, DEFAULTS).host, '/run/pg', text);
  }
});

test('what a run cannot use is refused, without the password', () => {
  const cases: [text: string, message: RegExp][] = [
    ['postgres://me:hidden@db1', /--server: no database; expected postgres:/],
    ['postgres://me:hidden@/x', /--server: no host/],
    ['dbname=x password=hidden', /no host/],
    ['postgres://me:hidden@a,b/x', /several hosts|not a URL/],
    ['postgres://me:hidden@db1:x/x', /not a URL/],
    ['postgres://me:hid%en@db1/x', /not a URL/],
    ['host=db1 dbname=x port=70000 password=hidden', /port 70000 is not one/],
    ['postgres://me:hidden@db1/x?options=-c', /options is not supported/],
    ['postgres://me:hidden@db1/x?sslmode=maybe', /sslmode maybe is not one of disable/],
    ['postgres://me:hidden@db1/x?sslmode=verify-full', /needs sslrootcert/],
    ['postgres://me:ge@hidden/7@db1/x', /an @ behind the host/],
    ['hidden', /not a list of name=value pairs/],
    ["host=db1 password='hidden", /not a list of name=value pairs/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parseConnectionString(text, DEFAULTS),
      (error: Error) => {
        assert.ok(error instanceof UsageError, text);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        assert.equal(error.cause, undefined);
        return true;
      },
    );
  }
});

test('workers are told everything but the password, and people what they need', () => {
  const access = parseConnectionString(
    "host=db1 dbname=x password=hidden sslmode=verify-ca sslrootcert=/etc/it's.crt",
    DEFAULTS,
  );
  assert.equal(
    conninfo(access, 'a/b'),
    String.raw`host='db1' port='5432' dbname='x' user='me' sslmode='verify-ca' sslrootcert='/etc/it\'s.crt' gssencmode='disable' application_name='a/b' connect_timeout='30'`,
  );
  assert.equal(describeAccess(access), 'host=db1 port=5432 dbname=x user=me sslmode=verify-ca');
});
