import { UsageError } from '@ibench/core';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** How a connection is encrypted, in libpq's terms; files of certificates and keys by path. */
export interface Ssl {
  readonly mode: SslMode;
  readonly rootCert: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** How to reach a server: everything that a client needs, and nothing left to its environment. */
export interface ServerAccess {
  /** Name or address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | null;
  readonly ssl: Ssl;
}

/** What is taken where the connection string does not say it. */
export interface AccessDefaults {
  readonly user: string;
  readonly password: string | null;
}

const PARAMETERS = [
  'host',
  'port',
  'dbname',
  'user',
  'password',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const;
type Parameter = (typeof PARAMETERS)[number];

const EXPECTED =
  'expected postgres://user@host:port/database, or "host=… port=… dbname=… user=…"; a socket is postgres:///database?host=/var/run/postgresql';

/**
 * Reads a connection string as libpq does: a URL, or `name=value` pairs. Host and database must be named:
 * a benchmark should not find its server by accident.
 *
 * @throws UsageError that does not repeat the text, which may hold a password
 */
export function parseConnectionString(text: string, defaults: AccessDefaults): ServerAccess {
  const fail = (why: string): UsageError => new UsageError(`--server: ${why}; ${EXPECTED}`);
  const values = /^postgres(ql)?:\/\//.test(text) ? parseUrl(text, fail) : parsePairs(text, fail);
  for (const name of values.keys()) {
    if (!(PARAMETERS as readonly string[]).includes(name)) {
      throw fail(`${name} is not supported (${PARAMETERS.join(', ')} are)`);
    }
  }
  const value = (name: Parameter): string | null => values.get(name) || null;
  const host = value('host');
  const database = value('dbname');
  if (host === null) throw fail('no host');
  if (database === null) throw fail('no database');
  if (host.includes(',')) throw fail('several hosts');
  const port = value('port') ?? '5432';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw fail(`port ${port} is not one from 1 to 65535`);
  }
  return {
    host,
    port: Number(port),
    database,
    user: value('user') ?? defaults.user,
    password: value('password') ?? defaults.password,
    ssl: sslOf(value, fail),
  };
}

/** The access in words, without the password. */
export function describeAccess({ host, port, user, database, ssl }: ServerAccess): string {
  return `host=${host} port=${port} dbname=${database} user=${user} sslmode=${ssl.mode}`;
}

type Fail = (why: string) => UsageError;

/** After a user the host may be empty for libpq, but not for URL. */
const NO_HOST = 'no-host.invalid';

function parseUrl(text: string, fail: Fail): Map<string, string> {
  const values = new Map<string, string>();
  // Not by catching the error of URL, which has the whole text with it.
  const whole = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[:/?]|$)/, `$1${NO_HOST}`);
  const url = URL.canParse(whole) ? new URL(whole) : null;
  const parts: [Parameter, string][] = [
    ['host', url?.hostname.replace(NO_HOST, '').replace(/^\[(.*)\]$/, '$1') ?? ''],
    ['port', url?.port ?? ''],
    ['user', url?.username ?? ''],
    ['password', url?.password ?? ''],
    ['dbname', url?.pathname.slice(1) ?? ''],
  ];
  for (const [name, encoded] of parts) {
    const value = decode(encoded);
    if (url === null || value === null) {
      throw fail('not a URL (special characters in a password are written as %XX)');
    }
    if (value !== '') values.set(name, value);
  }
  // As URLs are read, the host of postgres://me:se@cret/1@db/x would be "cret": part of a password, in messages.
  if (url?.pathname.includes('@')) {
    throw fail('an @ behind the host (in a password, @ is written as %40 and / as %2F)');
  }
  for (const [name, value] of url?.searchParams ?? []) values.set(name, value);
  return values;
}

/** null: a % without two digits. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** `name = value` with blanks between; a value with blanks is in single quotes, where \ escapes. */
function parsePairs(text: string, fail: Fail): Map<string, string> {
  const values = new Map<string, string>();
  const pair = /\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?!')(?:[^\s\\]|\\.)*))(?=\s|$)\s*/suy;
  while (pair.lastIndex < text.length) {
    const match = pair.exec(text);
    if (match === null) throw fail('not a list of name=value pairs');
    values.set(match[1] as string, (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/gs, '$1'));
  }
  return values;
}

function sslOf(value: (name: Parameter) => string | null, fail: Fail): Ssl {
  const mode = value('sslmode') ?? 'prefer';
  if (!(SSL_MODES as readonly string[]).includes(mode)) {
    throw fail(`sslmode ${mode} is not one of ${SSL_MODES.join(', ')}`);
  }
  const rootCert = value('sslrootcert');
  if (mode.startsWith('verify-') && rootCert === null) {
    throw fail(`sslmode ${mode} needs sslrootcert, the file with the certificate to trust`);
  }
  return { mode: mode as SslMode, rootCert, cert: value('sslcert'), key: value('sslkey') };
}
