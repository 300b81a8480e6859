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

function isInstalled() {
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === fingerprint();
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
