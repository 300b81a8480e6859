import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ibench } from './builds-support.ts';
import { postgresSource, SHARED_BUILDS } from './postgres-source.ts';
import { SHARED_HOST, temporaryDirectory } from './support.ts';

const PREFIX = 'ibench-test-assert';
/** It is kept for later runs of the tests, as long as what compiles and describes builds stays as it is. */
const NAME = `${PREFIX}-${digestOf(new URL('./builds/', import.meta.resolve('@ibench/host')))}`;

function digestOf(folder: URL): string {
  const hash = createHash('sha256');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.js'));
  for (const name of names.sort()) hash.update(fs.readFileSync(new URL(name, folder)));
  return hash.digest('hex').slice(0, 8);
}

/** Removes what earlier versions of the code have compiled: the same source would be taken from there. */
function removeOlder(): void {
  const names = fs.existsSync(SHARED_BUILDS) ? fs.readdirSync(SHARED_BUILDS) : [];
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  if (older.length > 0) ibench('builds', 'remove', ...older, '--builds-dir', SHARED_BUILDS);
}

/** Without libraries that a machine may lack; ICU is asked for by default since 16. */
function minimal(source: string): string {
  const major = Number(/postgresql-(\d+)/.exec(source)?.[1] ?? 16);
  return major < 16 ? '--without-zlib' : '--without-zlib --without-icu';
}

/** A build for finding bugs: it is compiled in a fraction of the time. */
function compileDebug(source: string) {
  return ibench(
    ...['builds', 'compile', '--source', source, '--name', NAME, '--system', 'configure'],
    ...['--cflags', '-O0', '--configure', `--enable-cassert ${minimal(source)}`],
    ...['--builds-dir', SHARED_BUILDS],
  );
}

test('a build is compiled once, says what it is, and is measured only by who means it', (t) => {
  const source = postgresSource(t);
  if (source === null) return t.skip('no source of PostgreSQL, and none can be fetched');
  removeOlder();
  const compiled = compileDebug(source);
  assert.deepEqual([compiled.status, compiled.stdout], [0, `${NAME}\n`], compiled.stderr);
  assert.match(compiled.stderr, /for finding bugs: its assertions are on .*\(-O0\)/);
  const again = compileDebug(source);
  assert.match(again.stderr, new RegExp(`^${NAME} is there already`, 'm'));

  const shown = JSON.parse(
    ibench('builds', 'show', NAME, '--format', 'json', '--builds-dir', SHARED_BUILDS).stdout,
  );
  assert.equal(shown.fingerprint.debugAssertions, true);
  assert.equal(shown.fingerprint.optimisation, '-O0');
  assert.match(shown.fingerprint.revision, /^tree-[0-9a-f]{12}$/);
  assert.match(shown.fingerprint.pgConfig.configure, /'--enable-cassert'/);
  assert.doesNotMatch(JSON.stringify(shown.fingerprint.pgConfig), /unfinished/);
  assert.match(fs.readFileSync(shown.registered.source.log, 'utf8'), / -O0 .* -o \S+\.o /);

  const other = ibench(
    ...['builds', 'compile', '--source', source, '--name', NAME, '--cflags', '-O1'],
    ...['--builds-dir', SHARED_BUILDS],
  );
  assert.equal(other.status, 2);
  assert.match(other.stderr, new RegExp(`--name ${NAME}: taken by another build`));

  const runs = temporaryDirectory(t);
  const args = ['run', '--preset', 'tiny', '--build', NAME, '--builds-dir', SHARED_BUILDS];
  const small = ['rows=2000', 'l_i1_rows=500', 'l_i2_rows=100', 'read_write_seconds=1'];
  args.push(
    '--runs-dir',
    runs,
    ...small.flatMap((one) => ['--set', one]),
    '--set',
    'settle_seconds=0',
  );
  const refused = ibench(...args);
  assert.deepEqual([refused.status, refused.stdout], [2, '']);
  assert.match(refused.stderr, /for finding bugs: its assertions are on.*--allow-debug-build/);
  assert.deepEqual(fs.readdirSync(runs), []);
  const run = ibench(...args, '--allow-debug-build', ...SHARED_HOST, '--tag', 'mine');
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stderr, new RegExp(`^warning: build ${NAME} is for finding bugs`, 'm'));
  const tables = run.stdout.split(/\n\n/);
  for (const table of tables) assert.match(table, /mine \[debug build\]/);
  const json = ibench('table', '--runs-dir', runs, '--format', 'csv').stdout;
  assert.match(json, /mine \[debug build\]/);
});

test('a build that fails shows what the compiler said, and leaves nothing but its log', (t) => {
  const source = postgresSource(t);
  if (source === null) return t.skip('no source of PostgreSQL, and none can be fetched');
  const outer = temporaryDirectory(t);
  const [clone, folder] = [path.join(outer, 'clone'), path.join(outer, 'builds')];
  fs.cpSync(source, clone, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  git('init', '-q');
  git('add', '--force', '.');
  git('commit', '-q', '-m', 'source');
  fs.appendFileSync(path.join(clone, 'src/common/base64.c'), '#error not yet\n');
  const compile = [
    'builds',
    'compile',
    '--source',
    clone,
    '--cflags',
    '-O0',
    '--builds-dir',
    folder,
  ];
  const failed = ibench(...compile, '--system', 'configure', '--configure', minimal(source));
  assert.equal(failed.status, 1, failed.stderr);
  assert.match(failed.stderr, /^ibench: compile of pg\S+-[0-9a-f]{7}-dirty-[0-9a-f]{4} failed:$/m);
  assert.match(failed.stderr, /base64\.c:\d+:\d+: error: #error not yet/);
  const log = /everything it said: (\S+)/.exec(failed.stderr)?.[1] as string;
  assert.match(fs.readFileSync(log, 'utf8'), /checking .*\n/);
  assert.deepEqual(fs.readdirSync(folder), ['.logs']);
  assert.match(`${git('status', '--porcelain')}`, /^ M src\/common\/base64\.c\n$/);

  const impossible = ibench(...compile, '--ref', 'HEAD', '--configure', 'CC=/no/such/cc');
  assert.equal(impossible.status, 1);
  assert.match(impossible.stderr, /configure of pg\S+-[0-9a-f]{7}-[0-9a-f]{4} failed:\n.*error: /s);
  const unknown = ibench(...compile, '--ref', 'nowhere');
  assert.deepEqual([unknown.status, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /--ref nowhere: no such commit, tag or branch/);
});
