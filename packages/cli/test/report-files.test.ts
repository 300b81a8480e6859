import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { browserOfSuite } from './browser.ts';
import { noBrowser } from './chromium.ts';
import { filledStore, ibench } from './filled-store.ts';

const open = browserOfSuite();

/** Two builds of three repeats, the second a tenth slower. */
function twoBuilds(t: TestContext): string {
  const rates = { 'pg17.9': [1000, 1010, 990], 'pg18.4': [890, 900, 910] };
  return filledStore(
    t,
    Object.entries(rates).flatMap(([build, repeats]) => repeats.map((ips) => ({ build, ips }))),
  );
}

/** Rows of a table as machines read it. */
function jsonRows(db: string, id: string): Record<string, number | string>[] {
  const { stdout } = ibench('table', '--db', db, '--table', id, '--format', 'json');
  const [table] = JSON.parse(stdout) as { rows: { values: Record<string, number | string> }[] }[];
  return table!.rows.map(({ values }) => values);
}

test('the summary tells the changes of the page in markdown, with the numbers of the tables', (t) => {
  const db = twoBuilds(t);
  const folder = path.dirname(db);
  const [page, summary] = [path.join(folder, 'x.html'), path.join(folder, 'new', 'post.md')];
  const made = ibench('report', '--db', db, '--out', page, '--summary', summary);
  assert.equal(made.status, 0, made.stderr);
  const text = fs.readFileSync(summary, 'utf8');
  const sentence =
    /l\.i1: pg18\.4\.base 0\.90x \[0\.89, 0\.91\] vs pg17\.9\.base \(3 and 3 repeats cannot tell it from noise\); /;
  assert.match(text, new RegExp(`### What changed\n\n- ▼ ${sentence.source}`));
  assert.match(fs.readFileSync(page, 'utf8'), new RegExp(`id="verdict".*${sentence.source}`, 's'));
  for (const row of jsonRows(db, 'summary')) {
    const throughput = Number(row['l.i1']).toFixed(0);
    assert.match(text, new RegExp(`\\| ${row.tag} \\| 3 \\| (. )?${throughput} \\|`));
  }
  for (const row of jsonRows(db, 'relative')) {
    assert.match(text, new RegExp(`\\| ${row.tag} \\| (▼ )?${Number(row['l.i1']).toFixed(2)} \\|`));
  }
  assert.deepEqual(fs.readdirSync(path.dirname(summary)), ['post.md']);
});

test('few warnings are in the summary, many are only counted, and folded in the page', (t) => {
  for (const [count, isTold] of [
    [6, true],
    [7, false],
  ] as const) {
    const warnings = Array.from({ length: count }, (_, i) => `odd thing ${i + 1}`);
    const db = filledStore(t, [{ build: 'pg17.9', ips: 1000, warnings }]);
    const summary = ibench('report', '--db', db, '--summary', '-').stdout;
    assert.match(summary, new RegExp(` · ${count} warnings\n`));
    assert.equal(/odd thing 6/.test(summary), isTold);
    const page = ibench('report', '--db', db, '--out', '-').stdout;
    assert.equal(page.includes(`<summary>Warnings: ${count}</summary>`), !isTold);
    assert.match(page, /odd thing 6/);
  }
});

test('folded warnings are on paper', { skip: noBrowser }, async (t) => {
  const warnings = Array.from({ length: 7 }, (_, i) => `odd thing ${i + 1}`);
  const db = filledStore(t, [{ build: 'pg17.9', ips: 1000, warnings }]);
  const file = path.join(path.dirname(db), 'x.html');
  ibench('report', '--db', db, '--out', file);
  const { page } = await open(file);
  const isShown = (): Promise<boolean> =>
    page.evaluate(() => document.getElementById('t-warnings')!.checkVisibility());
  assert.equal(await isShown(), false);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await isShown(), true);
});

test('every chart is a file, drawn as `ibench chart` draws it, with the numbers of the tables', (t) => {
  const db = twoBuilds(t);
  const folder = path.join(path.dirname(db), 'charts');
  const made = ibench('report', '--db', db, '--svg', folder);
  assert.equal(made.status, 0, made.stderr);
  const chart = ['chart', '--db', db, '--step', 'l.i1'];
  const names = ibench(...chart)
    .stdout.trim()
    .split('\n');
  assert.ok(names.includes('insert-rate'), names.join());
  assert.deepEqual(
    fs.readdirSync(folder).sort(),
    ['relative.svg', ...names.map((name) => `l.i1.${name}.svg`)].sort(),
  );
  const ofAllSteps = ['chart', '--db', db];
  assert.equal(ibench(...ofAllSteps).stdout, 'relative\n');
  const relative = fs.readFileSync(path.join(folder, 'relative.svg'), 'utf8');
  assert.equal(relative, ibench(...ofAllSteps, '--chart', 'relative').stdout);
  assert.match(relative, />▼ 0\.90 \[0\.89, 0\.91\]</);
  for (const name of names) {
    const svg = fs.readFileSync(path.join(folder, `l.i1.${name}.svg`), 'utf8');
    assert.equal(svg, ibench(...chart, '--chart', name).stdout, name);
  }
  const rate = fs.readFileSync(path.join(folder, 'l.i1.insert-rate.svg'), 'utf8');
  for (const row of jsonRows(db, 'summary')) {
    const average = Number(row['l.i1']).toLocaleString('en-US');
    assert.match(rate, new RegExp(`avg ${average}/s`), `${row.tag}`);
  }
});

test('what cannot be written is refused before anything is', (t) => {
  const db = twoBuilds(t);
  const folder = path.dirname(db);
  const out = path.join(folder, 'x.html');
  const refused: [args: string[], message: RegExp][] = [
    [[], /nothing to write: expected --out FILE, --summary FILE or --svg FOLDER/],
    [['--out', out, '--summary', folder], /--summary .*: expected a file, this is a folder/],
    [['--out', out, '--svg', db], /--svg .*: expected a folder, this is a file/],
    [['--out', out, '--summary', path.join(db, 'post.md')], /--summary .*cannot be written/],
    [['--out', out, '--svg', path.join(db, 'charts', 'x')], /--svg .*cannot be written/],
    [['--out', out, '--summary', out], /both .*: expected two files/],
  ];
  for (const [args, message] of refused) {
    const { status, stderr } = ibench('report', '--db', db, ...args);
    assert.equal(status, 2, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
  }
  assert.deepEqual(fs.readdirSync(folder), [path.basename(db)]);
});
