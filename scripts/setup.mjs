// Makes the clone ready: installs what the lockfile says and builds. Does nothing that is already done.
// Plain JavaScript without dependencies, since it runs before there are any.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(clone, 'node_modules', '.ibench-setup');

checkNode();
if (!isInstalled()) install();
build();

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 11)) return;
  fail(`ibench needs Node.js 20.11 or newer, this is ${process.version}`);
}

/** What node_modules was installed from: the lockfile, and the Node that native addons were built for. */
function fingerprint() {
  const lock = fs.readFileSync(path.join(clone, 'package-lock.json'));
  const node = `${process.platform} ${process.arch} ${process.versions.modules}`;
  return createHash('sha256').update(lock).update(node).digest('hex');
}

/** By this script before, or by hand: then it says so from now on. */
function isInstalled() {
  if (fs.existsSync(stamp)) return fs.readFileSync(stamp, 'utf8') === fingerprint();
  if (!isInstalledByHand()) return false;
  fs.writeFileSync(stamp, fingerprint());
  return true;
}

/** npm notes what it installed; installing again would take the packages away from what runs meanwhile. */
function isInstalledByHand() {
  const noted = path.join(clone, 'node_modules', '.package-lock.json');
  if (!fs.existsSync(noted)) return false;
  const installed = readPackages(noted);
  const wanted = Object.entries(readPackages(path.join(clone, 'package-lock.json')));
  const complete = wanted.every(
    ([name, { version, optional, link }]) =>
      !name.startsWith('node_modules/') || link || optional || installed[name]?.version === version,
  );
  const native = "new (require('better-sqlite3'))(':memory:')";
  const options = { cwd: path.join(clone, 'packages', 'store'), stdio: 'ignore' };
  return complete && spawnSync(process.execPath, ['-e', native], options).status === 0;
}

function readPackages(lockfile) {
  return JSON.parse(fs.readFileSync(lockfile, 'utf8')).packages;
}

function install() {
  process.stderr.write('installing dependencies (the first time takes a minute or two) …\n');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'installing dependencies');
  fs.writeFileSync(stamp, fingerprint());
}

function build() {
  const tsc = path.join(clone, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '-b'], 'building');
}

function run(command, args, purpose) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: clone,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  fail(
    `${purpose} failed (${error?.message ?? signal ?? `exit code ${status}`}): see the lines above`,
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
