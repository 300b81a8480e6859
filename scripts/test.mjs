// Runs everything that must hold: format, lint, unused code, then all tests, or those named as arguments
// (`npm test -- packages/core/test/histogram.test.ts`).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(clone, 'node_modules', '.bin', name);
const named = process.argv.slice(2);

if (named.length === 0) {
  run('format and lint', bin('biome'), ['check', '--error-on-warnings', '.']);
  run('unused code', bin('knip'), []);
}
const files = named.length > 0 ? named.map((file) => path.resolve(file)) : allTests();
// One file at a time: many start servers, and the machine has two cores.
run('tests', process.execPath, ['--test', '--test-concurrency=1', ...files.map(compiled)]);

/** Test sources, unit tests of all packages before the slow ones of the program. */
function allTests() {
  return ['core', 'store', 'report', 'host', 'client', 'cli'].flatMap((name) => {
    const directory = path.join(clone, 'packages', name, 'test');
    const names = fs.readdirSync(directory).filter((file) => file.endsWith('.test.ts'));
    return names.sort().map((file) => path.join(directory, file));
  });
}

function compiled(source) {
  const directory = path.dirname(source);
  const file = path.join(
    directory,
    '..',
    'dist',
    'test',
    path.basename(source).replace(/ts$/, 'js'),
  );
  if (fs.existsSync(file)) return file;
  process.stderr.write(`${source}: no such test\n`);
  process.exit(2);
}

function run(what, command, args) {
  const { status, error } = spawnSync(command, args, { cwd: clone, stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write(`${what}: failed${error ? ` (${error.message})` : ''}\n`);
  process.exit(1);
}
