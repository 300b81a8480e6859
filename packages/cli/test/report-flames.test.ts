/// <reference lib="dom" />

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { browserOfSuite } from './browser.ts';
import { noBrowser } from './chromium.ts';
import { generateStore } from './generated-store.ts';
import { suiteDirectory } from './suite-directory.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const directory = suiteDirectory();
const open = browserOfSuite();
const REPORT = `${directory}/flames.html`;
const PLAIN = `${directory}/plain.html`;

const HOSTILE = '</script><img src=x onerror="document.title=1">';
const INSERT = {
  'main;PostgresMain;exec_bind_message;ExecInsert;heap_insert': 400,
  'main;PostgresMain;exec_bind_message;ExecInsert;_bt_doinsert': 300,
  'main;PostgresMain;finish_xact_command;XLogFlush;fdatasync_[k]': 200,
  [`main;PostgresMain;${HOSTILE}`]: 100,
};

before(() => {
  if (noBrowser !== false) return;
  const made = { steps: ['l.i1', 'qr100'], seconds: 120 };
  report(REPORT, {
    ...made,
    runs: [
      { tag: 'pg17.a', profiles: { insert: INSERT, delete: { 'main;ExecDelete': 150 } } },
      {
        tag: 'pg18.a',
        profiles: { insert: { ...INSERT, 'main;PostgresMain;pg_lzcompress': 1000 } },
      },
      { tag: 'pg19.a' },
    ],
  });
  report(PLAIN, { ...made, runs: [{ tag: 'pg17.a' }, { tag: 'pg18.a' }] });
});

test('each step has a graph for each role and row that was profiled, told of in a line, drawn when opened', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const lines = page.locator('[id="l.i1/flames"] > .flames > summary');
  assert.deepEqual(await lines.allTextContents(), [
    'pg17.a: 1,000 samples, most in heap_insert: 40.00%',
    'pg18.a compared with pg17.a: 2,000 samples, most changed pg_lzcompress: +50.00 points',
    'pg17.a: 150 samples, most in ExecDelete: 100.00%',
  ]);
  assert.equal(await page.locator('[id="qr100/flames"] > .flames').count(), 3);
  await page.waitForFunction(() => document.documentElement.dataset.ready === '');
  assert.equal(await page.locator('.flame-frames > div').count(), 0, 'drawn before it is opened');
  const graph = await opened(page, 0);
  // Frames of one call, from the root: all, main, PostgresMain, 3 called by it, ExecInsert and XLogFlush, 3 leaves.
  assert.equal(await graph.locator('.flame-frames > div').count(), 11);
  assert.equal(await page.locator('.flame-frames > div').count(), 11);
  assert.equal(await page.locator('img').count(), 0);
  assert.match(await page.title(), /^Insert Benchmark/);
  assert.deepEqual(complaints, []);
});

test('a click zooms, the search tells what matches, both are undone', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const graph = await opened(page, 0);
  await frame(graph, 'ExecInsert').click();
  assert.equal(await frame(graph, 'XLogFlush').count(), 0);
  assert.deepEqual(
    [await widthOf(graph, 'ExecInsert'), await widthOf(graph, 'heap_insert')].map(Math.round),
    [100, 57],
  );
  await graph.locator('.flame-reset').click();
  assert.equal(Math.round(await widthOf(graph, 'ExecInsert')), 70);
  const matched = graph.locator('.flame-matched');
  await graph.locator('.flame-search').fill('_bt_');
  assert.equal(await matched.textContent(), '30.00% matched');
  assert.deepEqual(await graph.locator('.found').allTextContents(), ['_bt_doinsert']);
  await graph.locator('.flame-search').fill('/insert$/');
  assert.equal(await matched.textContent(), '70.00% matched', 'callees of a match count once');
  await graph.locator('.flame-search').fill('/(/');
  assert.equal(await matched.textContent(), 'not a valid expression');
  await graph.locator('.flame-search').fill('');
  assert.equal(await matched.textContent(), '');
  await graph.locator('[data-find]', { hasText: 'fdatasync_[k]' }).click();
  assert.equal(await matched.textContent(), '20.00% matched');
  assert.deepEqual(complaints, []);
});

test('keys do what the pointer does', { skip: noBrowser }, async () => {
  const { page, complaints } = await open(REPORT);
  const summary = page.locator('[id="l.i1/flames"] > .flames > summary').first();
  await summary.focus();
  await page.keyboard.press('Enter');
  const graph = page.locator('[id="l.i1/flames"] > .flames .flame').first();
  await graph.locator('.flame-frames > div').first().waitFor();
  for (let i = 0; i < 4 && !(await onFrame(page)); i++) await page.keyboard.press('Tab');
  assert.match(await focused(page), /^all: 100\.00%/);
  for (const key of ['Up', 'Up', 'Up', 'Right', 'Left']) await page.keyboard.press(`Arrow${key}`);
  assert.match(await focused(page), /^exec_bind_message: 70\.00% \(700 of 1000 samples\)/);
  await page.keyboard.press('Enter');
  assert.equal(Math.round(await widthOf(graph, 'exec_bind_message')), 100);
  await page.keyboard.press('Escape');
  assert.equal(Math.round(await widthOf(graph, 'exec_bind_message')), 70);
  await page.keyboard.press('/');
  await page.keyboard.type('heap');
  assert.equal(await graph.locator('.flame-matched').textContent(), '40.00% matched');
  assert.deepEqual(complaints, []);
});

test('the key / leads to the search of the graph on the screen, without a focus, and is a letter where one types', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'none is open');
  await opened(page, 0);
  const second = await opened(page, 1);
  await second.evaluate((one) => one.scrollIntoView({ block: 'start' }));
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('/');
  await page.keyboard.type('lz/');
  assert.equal(await second.locator('.flame-search').inputValue(), 'lz/');
  assert.deepEqual(complaints, []);
});

test('a row is compared with the base: colours, widths of either, functions by change', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const graph = await opened(page, 1);
  const row = await graph.locator('.flame-functions tbody tr').first().allTextContents();
  assert.match(row.join(), /^pg_lzcompress0\.00%50\.00%▲ \+50\.00/);
  assert.equal(Math.round(await widthOf(graph, 'ExecInsert')), 35);
  const colour = (name: string): Promise<string> =>
    frame(graph, name).evaluate((one) => getComputedStyle(one).backgroundColor);
  const [more, less] = [await colour('pg_lzcompress'), await colour('ExecInsert')];
  assert.notEqual(more, less);
  await graph.locator('.flame-widths').selectOption('base');
  assert.equal(Math.round(await widthOf(graph, 'ExecInsert')), 70);
  assert.equal(await frame(graph, 'pg_lzcompress').count(), 0);
  await graph.locator('.flame-colours').selectOption('kind');
  assert.equal(await graph.locator('.flame-frames > .kernel').count(), 1);
  await frame(graph, 'ExecInsert').hover();
  assert.match(
    (await graph.locator('.flame-readout').textContent())!,
    /^ExecInsert: 35\.00% .*; base 70\.00%, change -35\.00 points$/,
  );
  assert.deepEqual(complaints, []);
});

test('it fits a phone, and paper has what was opened', { skip: noBrowser }, async () => {
  const { page, complaints } = await open(REPORT, { viewport: { width: 380, height: 800 } });
  const graph = await opened(page, 1);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 380, `the page is ${width} pixels wide`);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.ok(await graph.locator('.flame-frames > div').first().isVisible());
  assert.ok(await graph.locator('.flame-bar').isHidden());
  assert.ok(await page.locator('.flame').nth(0).isHidden());
  assert.equal(
    await graph.evaluate((one) => getComputedStyle(one).colorScheme),
    'light',
    'dark on paper',
  );
  assert.deepEqual(complaints, []);
});

test('what a run has no profile of is bad usage, and what it has is said', {
  skip: noBrowser,
}, () => {
  const store = REPORT.replace('.html', '.sqlite');
  for (const [args, message] of [
    [['--role', 'nope'], /no such profile; expected one of: .*l\.i1 insert client 1, /],
    [['--step', 'nope'], /no such profile; expected one of: .*l\.i1 insert client 1, /],
    [['--client', '9'], /no such profile; expected one of: .*l\.i1 insert client 1, /],
    [['--diff', 'nope'], /no such run or tag: nope/],
    [['--diff', 'pg19.a'], /pg19\.a was not profiled/],
    [['--role', 'delete', '--diff', 'pg18.a'], /pg18\.a has no such profile/],
  ] as const) {
    const command = ['flamegraph', '--db', store, '--run', 'pg17.a', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...command], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
});

test('a report without profiles has nothing of them', { skip: noBrowser }, () => {
  assert.doesNotMatch(fs.readFileSync(PLAIN, 'utf8'), /flame-/);
});

/** Opens the graph of l.i1 at this place; it is drawn then. */
async function opened(page: Page, at: number): Promise<Locator> {
  const part = page.locator('[id="l.i1/flames"] > .flames').nth(at);
  await part.locator('summary').click();
  await part.locator('.flame-frames > div').first().waitFor();
  return part.locator('.flame');
}

function frame(graph: Locator, name: string): Locator {
  return graph.locator('.flame-frames > div').filter({ hasText: new RegExp(`^${name}$`) });
}

/** Per cent of the graph's width. */
async function widthOf(graph: Locator, name: string): Promise<number> {
  const [whole, part] = await Promise.all([
    graph.locator('.flame-frames').boundingBox(),
    frame(graph, name).boundingBox(),
  ]);
  return (100 * part!.width) / whole!.width;
}

function onFrame(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.closest('.flame-frames > div') !== null);
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}

function report(out: string, choice: Parameters<typeof generateStore>[1]): void {
  const store = out.replace('.html', '.sqlite');
  generateStore(store, choice);
  execFileSync(process.execPath, [CLI, 'report', '--db', store, '--out', out], { stdio: 'pipe' });
}
