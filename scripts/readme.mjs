// Remakes the output and the pictures shown in README.md and docs/*.md from a store of real runs. A comment before
// each says which command made it:
//
//   <!-- ibench compare a b | head -12 -->                        the code block after it: what the command prints
//   <!-- docs/images/x.svg: ibench chart --step l.i1 … -->        a chart as the command draws it
//   <!-- docs/images/x.png: ibench report --run a … -->           the report down to what changed, in Chromium
//
//   node scripts/readme.mjs runs/ibench.sqlite            rewrites the files
//   node scripts/readme.mjs runs/ibench.sqlite --check    tells which would change, exit code 1; PNG only if missing
//
// The runs shown are those of `npm start` and of `ibench plan run scripts/readme.yaml`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const clone = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(clone, 'packages', 'cli', 'bin', 'ibench.js');
const CHROMIUM = '/usr/bin/chromium';
const [store, mode] = process.argv.slice(2);
if (store === undefined || (mode !== undefined && mode !== '--check')) {
  process.stderr.write('usage: node scripts/readme.mjs STORE [--check]\n');
  process.exit(2);
}

const docs = fs.readdirSync(path.join(clone, 'docs')).map((name) => path.join('docs', name));
for (const name of ['README.md', ...docs.filter((file) => file.endsWith('.md'))]) {
  const before = fs.readFileSync(path.join(clone, name), 'utf8');
  keep(name, remakeBlocks(before));
  for (const [, picture, command] of before.matchAll(
    /<!-- (\S+\.(?:svg|png)): ibench (.*?) -->/g,
  )) {
    if (picture.endsWith('.svg')) keep(picture, run(command));
    else if (mode !== '--check' || !fs.existsSync(path.join(clone, picture))) {
      keep(picture, await screenshot(command));
    }
  }
}

/** Writes a file that has changed, or only tells that it would. */
function keep(name, content) {
  const file = path.join(clone, name);
  const after = Buffer.from(content);
  if (fs.existsSync(file) && fs.readFileSync(file).equals(after)) return;
  process.stdout.write(`${name} ${mode === '--check' ? 'would change' : 'rewritten'}\n`);
  if (mode === '--check') {
    process.exitCode = 1;
    return;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, after);
}

function remakeBlocks(text) {
  return text.replace(
    /(<!-- ibench (.*?)(?: \| head -(\d+))? -->\n\n?)```\n.*?```/gs,
    (_, lead, command, lines) => `${lead}\`\`\`\n${head(run(command), lines)}\n\`\`\``,
  );
}

function head(text, lines) {
  return text.split('\n').slice(0, lines).join('\n').trimEnd();
}

/** What a command prints about the store. */
function run(command) {
  const args = [cli, ...command.split(' '), '--db', path.resolve(store)];
  return execFileSync(process.execPath, args, { cwd: clone, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** A report down to what changed, light, as a PNG. */
async function screenshot(command) {
  const { chromium } = createRequire(path.join(clone, 'packages/cli/package.json'))(
    'playwright-core',
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-readme-'));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  try {
    const file = path.join(folder, 'report.html');
    fs.writeFileSync(file, run(`${command} --out -`));
    const page = await browser.newPage({
      viewport: { width: 1240, height: 1600 },
      // As wide as the readers of a README mostly see it.
      deviceScaleFactor: 0.75,
      colorScheme: 'light',
    });
    await page.goto(pathToFileURL(file).href);
    await page.locator('#verdict .plot-box svg').first().waitFor({ state: 'attached' });
    const { y, height } = await page.locator('#verdict').boundingBox();
    return await page.screenshot({ clip: { x: 0, y: 0, width: 1240, height: y + height } });
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
