// Runs everything that must hold: format, lint, unused code, then all tests, or those named as arguments
// (`npm test -- packages/core/test/histogram.test.ts`).
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(clone, 'node_modules', '.bin', name);
const named = process.argv.slice(2);

/** These take minutes, and begin first: else the last of them would run alone. */
const SLOWEST = ['builds-compile', 'plan-kill', 'selftest', 'statements', 'report-browser'].map(
  (name) => path.join(clone, 'packages', 'cli', 'test', `${name}.test.ts`),
);

if (named.length === 0) {
  run('format and lint', bin('biome'), ['check', '--error-on-warnings', '.']);
  run('unused code', bin('knip'), []);
}
const files = named.length > 0 ? named.map((file) => path.resolve(file)) : allTests();
const failed = await runTests(files.map(compiled));
if (failed.length > 0) {
  process.stderr.write(`tests: failed in ${failed.length} of ${files.length} files:\n`);
  for (const file of failed) process.stderr.write(`  ${path.relative(clone, file)}\n`);
  process.exit(1);
}
process.stderr.write(`tests: ${files.length} files passed\n`);

/** Runs test files, three at a time since much of a test is waiting; those that fail are returned. */
async function runTests(tests) {
  const waiting = [...tests];
  const failures = [];
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (!(await runTest(file))) failures.push(file);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  return failures;
}

/**
 * One test file in a folder for temporary files of its own: a run looks there for what killed runs left
 * behind, and must not find what another test is about to look at. What it prints comes at its end.
 */
async function runTest(file) {
  // Servers run as another user when root, who must be able to pass.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'ib-'));
  fs.chmodSync(temporary, 0o711);
  const startedAt = Date.now();
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', file], {
    cwd: clone,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = [];
  child.stdout.on('data', (text) => printed.push(text));
  child.stderr.on('data', (text) => printed.push(text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`\n${path.relative(clone, file)} (${seconds} s)\n`);
  process.stdout.write(Buffer.concat(printed));
  const left = fs.readdirSync(temporary);
  if (left.length > 0) process.stdout.write(`left behind in TMPDIR: ${left.join(', ')}\n`);
  fs.rmSync(temporary, { recursive: true, force: true });
  return code === 0;
}

/** Test sources, the slow ones of the program before the unit tests of all packages. */
function allTests() {
  const packages = fs.readdirSync(path.join(clone, 'packages'));
  const rest = packages.filter((name) => name !== 'cli');
  const all = ['cli', ...rest].flatMap((name) => {
    const directory = path.join(clone, 'packages', name, 'test');
    if (!fs.existsSync(directory)) return [];
    const names = fs.readdirSync(directory).filter((file) => file.endsWith('.test.ts'));
    return names.sort().map((file) => path.join(directory, file));
  });
  return [...SLOWEST, ...all.filter((file) => !SLOWEST.includes(file))];
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
