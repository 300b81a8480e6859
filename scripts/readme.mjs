// Remakes the output shown in README.md and docs/*.md from a store of real runs: a comment `<!-- ibench … -->` says
// which command made the block after it.
//
//   node scripts/readme.mjs runs/ibench.sqlite            rewrites the files
//   node scripts/readme.mjs runs/ibench.sqlite --check    tells which would change, exit code 1
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(clone, 'packages', 'cli', 'bin', 'ibench.js');
const [store, mode] = process.argv.slice(2);
if (store === undefined || (mode !== undefined && mode !== '--check')) {
  process.stderr.write('usage: node scripts/readme.mjs STORE [--check]\n');
  process.exit(2);
}

const docs = fs.readdirSync(path.join(clone, 'docs')).map((name) => path.join('docs', name));
for (const name of ['README.md', ...docs.filter((file) => file.endsWith('.md'))]) {
  const file = path.join(clone, name);
  const before = fs.readFileSync(file, 'utf8');
  const after = remake(before);
  if (after === before) continue;
  process.stdout.write(`${name} ${mode === '--check' ? 'would change' : 'rewritten'}\n`);
  if (mode === '--check') process.exitCode = 1;
  else fs.writeFileSync(file, after);
}

function remake(text) {
  return text.replace(
    /(<!-- ibench (.*?) -->\n\n?)```\n.*?\n```/gs,
    (_, lead, command) => `${lead}\`\`\`\n${outputOf(command)}\n\`\`\``,
  );
}

function outputOf(command) {
  const args = [cli, ...command.split(' '), '--db', path.resolve(store)];
  return execFileSync(process.execPath, args, { cwd: clone, encoding: 'utf8' }).trimEnd();
}
