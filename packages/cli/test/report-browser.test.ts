/// <reference lib="dom" />

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { browserOfSuite } from './browser.ts';
import { noBrowser } from './chromium.ts';
import { generateStore } from './generated-store.ts';
import { suiteDirectory } from './suite-directory.ts';

const CLI = fileURLToPath(new URL('../../bin/ibench.js', import.meta.url));
const directory = suiteDirectory();
const open = browserOfSuite();
const [REPORT, MANY, ONE] = ['report', 'many', 'one'].map(
  (name) => `${directory}/${name}.html`,
) as [string, string, string];

/** 297 mm less the margins, in pixels of 1/96 inch. */
const A4_LANDSCAPE = 1039;
const RATE = '[data-step="l.i1"][data-chart="insert-rate"].plot-box';
const SLOWEST = '[data-step="l.i1"][data-chart="insert-slowest"].plot-box';

before(() => {
  if (noBrowser !== false) return;
  const made = { steps: ['l.i0', 'l.i1', 'qr100'], seconds: 120 };
  const long = `pg-${'long-'.repeat(30)}tag.x`;
  report(REPORT, {
    ...made,
    runs: [
      { tag: 'pg17.a', clients: 2 },
      { tag: 'pg18.a', clients: 2, speed: 1.2, devices: false },
      { tag: '</script><script>document.title="owned"</script>', clients: 2, speed: 0.8 },
      { tag: long, clients: 2, ends: { step: 'l.i1', status: 'interrupted' } },
    ],
  });
  const runs = Array.from({ length: 40 }, (_, i) => ({ tag: `pg${i}.a`, speed: 1 + i / 100 }));
  report(MANY, { steps: ['l.i1'], seconds: 30, runs });
  report(ONE, { steps: ['l.i1'], seconds: 30, runs: [{ tag: 'pg18.a', spoiled: 'l.i1' }] });
});

test('charts are drawn where they are looked at, and nothing leaves the file', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  assert.equal(await page.locator(`${RATE} svg`).count(), 0, 'drawn before it is in view');
  await look(page, RATE);
  assert.equal(await page.locator(`${RATE} svg path.dots`).count(), 3);
  assert.equal(await page.locator(`${RATE} svg .ghost`).count(), 2);
  // A checkpoint of 40 seconds and a vacuum in each panel, and both in the legend.
  assert.equal(await page.locator(`${RATE} .checkpoint`).count(), 3 + 1);
  assert.equal(await page.locator(`${RATE} .vacuum`).count(), 3 + 1);
  const boxes = await page.locator('.plot-box').count();
  for (let i = 0; i < boxes; i++) await look(page, '.plot-box', i);
  assert.equal(await page.locator('.plot-box > svg').count(), boxes);
  assert.equal(await page.locator('.spark-box svg').count(), 10);
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  });
  assert.deepEqual(twice, [], 'an id is there twice');
  assert.match(await page.title(), /^Insert Benchmark: pg17\.a/);
  assert.doesNotMatch(await page.locator('.plot-box > svg').first().innerHTML(), /NaN/);
  assert.deepEqual(complaints, []);
});

test('even a script in the page cannot reach the network', { skip: noBrowser }, async () => {
  const { page } = await open(REPORT);
  const outcome = await page.evaluate(() =>
    fetch('http://127.0.0.1:9/').then(
      () => 'reached',
      (error: Error) => error.message,
    ),
  );
  assert.equal(outcome, 'Failed to fetch');
  const policy = await page.locator('meta[http-equiv]').getAttribute('content');
  assert.match(policy!, /^default-src 'none'/);
});

test('the change in all steps: a square for each tag and step, without those that are hidden', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const chart = '#verdict [data-chart="relative"].plot-box';
  await look(page, chart);
  const squares = page.locator(`${chart} rect.marker`);
  // Three other tags in l.i0, of which one broke off in l.i1; the base ran once and is 1 by definition.
  assert.equal(await squares.count(), 7);
  assert.equal(await page.locator(`${chart} .line, ${chart} .dots`).count(), 0);
  assert.match((await page.locator(`${chart} > svg`).textContent())!, /pg18\.a.*▲ 1\.20/);
  await page.locator('input[data-row="1"]').uncheck();
  await page.waitForFunction(
    (box) => document.querySelectorAll(`${box} rect.marker`).length === 4,
    chart,
  );
  assert.deepEqual(complaints, []);
});

test('debt over the steps: a line for each tag; what the deleter and the server spent, by second', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const chart = '#debt [data-chart="debt-dead-share"].plot-box';
  await look(page, chart);
  // Two borders of three steps for each of three tags, and of one for the run that broke off; a marker in each label.
  assert.equal(await page.locator(`${chart} .marker`).count(), 3 * 6 + 2 + 4);
  assert.match(
    (await page.locator(`${chart} > svg`).textContent())!,
    /pg17\.a.*most .*% before qr100/,
  );
  for (const name of ['delete-planning', 'delete-resync', 'server-cpu']) {
    const box = `[data-step="l.i1"][data-chart="${name}"].plot-box`;
    await look(page, box);
    assert.equal(await page.locator(`${box} rect.plot`).count(), 3, name);
  }
  assert.deepEqual(complaints, []);
});

test('sessions by what they wait for: a panel per tag, one scale, a line at the CPUs', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const chart = '[data-step="l.i1"][data-chart="active-sessions"].plot-box';
  await look(page, chart);
  assert.equal(await page.locator(`${chart} rect.plot`).count(), 3);
  assert.equal(await page.locator(`${chart} path.limit`).count(), 3);
  assert.match((await page.locator(`${chart} > svg`).textContent())!, /avg 3\.50 on 8 CPUs/);
  assert.deepEqual(complaints, []);
});

test('the legend takes rows out of all charts; overlay puts them into one panel', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  await look(page, RATE);
  await page.locator('input[data-row="1"]').uncheck();
  await page.waitForFunction(
    (rate) => document.querySelectorAll(`${rate} path.dots`).length === 2,
    RATE,
  );
  await page.locator('#overlay').click();
  await look(page, RATE);
  await page.waitForFunction(
    (rate) => document.querySelectorAll(`${rate} rect.plot`).length === 1,
    RATE,
  );
  assert.equal(await page.locator('#overlay').getAttribute('aria-pressed'), 'true');
  assert.equal(await page.locator(`${RATE} .line`).count(), 2);
  const query = new URL(page.url()).search;
  assert.equal(query, '?hidden=1&overlay=1');
  const linked = (await open(REPORT, {}, `${query}&zoom.l.i1=10-30&zoom.x=9-1`)).page;
  assert.ok(!(await linked.locator('input[data-row="1"]').isChecked()));
  assert.equal(await linked.locator('#overlay').getAttribute('aria-pressed'), 'true');
  await look(linked, RATE);
  assert.equal(await linked.locator(`${RATE} rect.plot`).count(), 1);
  await linked.locator('#reset').click();
  await linked.waitForFunction((rest) => location.search === rest, query);
  const dashes = await page
    .locator(`${RATE} .line`)
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke-dasharray')));
  assert.equal(new Set(dashes).size, 2, 'lines differ in more than colour');
  assert.deepEqual(complaints, []);
});

test('dragging zooms all charts of the step, the button and a double click show all', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  const whole = await dotsIn(page, RATE);
  const box = (await page.locator(RATE).boundingBox())!;
  await page.mouse.move(box.x + 100, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 40, { steps: 4 });
  assert.equal(await page.locator('.brush').count(), 1);
  await page.mouse.up();
  await page.waitForFunction(
    () => !(document.getElementById('reset') as HTMLButtonElement).disabled,
  );
  const zoomed = await dotsIn(page, RATE);
  assert.ok(zoomed > 5 && zoomed < whole / 2, `${zoomed} of ${whole} dots`);
  assert.ok((await dotsIn(page, SLOWEST)) < whole / 2);
  await page.locator('#reset').click();
  assert.equal(await dotsIn(page, RATE), whole);
  assert.deepEqual(complaints, []);
});

test('how to zoom is said beside the switches', { skip: noBrowser }, async () => {
  const { page } = await open(REPORT);
  assert.match((await page.locator('.controls').textContent())!, /drag across to zoom.*keys: Tab/);
});

test('the cursor is linked over the charts of a step, by pointer and by keys', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT);
  await look(page, SLOWEST);
  await look(page, RATE);
  const box = (await page.locator(RATE).boundingBox())!;
  await page.mouse.move(box.x + 150, box.y + 40);
  assert.equal(await page.locator(`${SLOWEST} .cursor[visibility=visible]`).count(), 3);
  assert.match(
    (await page.locator('#readout').textContent())!,
    /Rows inserted per second, 0:\d\d.*pg18\.a: [\d,]+\/s/s,
  );
  await page.mouse.move(2, 2);
  assert.ok(await page.locator('#readout').isHidden());
  await page.locator(RATE).focus();
  await page.keyboard.press('ArrowRight');
  const before = await page.locator('#readout').textContent();
  await page.keyboard.press('Shift+ArrowRight');
  assert.notEqual(await page.locator('#readout').textContent(), before);
  await page.keyboard.press('+');
  await page.waitForFunction(
    () => !(document.getElementById('reset') as HTMLButtonElement).disabled,
  );
  await page.keyboard.press('0');
  await page.waitForFunction(
    () => (document.getElementById('reset') as HTMLButtonElement).disabled,
  );
  assert.deepEqual(complaints, []);
});

test('dark and light follow the system and the switch', { skip: noBrowser }, async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const { page, complaints } = await open(REPORT, { colorScheme });
    const isDark = (): Promise<boolean> =>
      page.evaluate(() =>
        /rgb\(2\d, |rgb\(1\d, /.test(getComputedStyle(document.body).backgroundColor),
      );
    assert.equal(await isDark(), colorScheme === 'dark');
    await page.locator('#theme').click();
    assert.equal(await isDark(), colorScheme !== 'dark');
    assert.deepEqual(complaints, []);
  }
});

test('on a phone nothing is wider than the screen but tables, which scroll', {
  skip: noBrowser,
}, async () => {
  const { page, complaints } = await open(REPORT, { viewport: { width: 380, height: 800 } });
  await look(page, RATE);
  const { width, svg } = await page.evaluate(
    (rate) => ({
      width: document.documentElement.scrollWidth,
      svg: document.querySelector(`${rate} svg`)!.getBoundingClientRect().width,
    }),
    RATE,
  );
  assert.ok(width <= 380, `the page is ${width} pixels wide`);
  assert.ok(svg > 250 && svg <= 380, `the chart is ${svg} pixels wide`);
  assert.deepEqual(complaints, []);
});

test('paper has every chart, light, without the controls', { skip: noBrowser }, async () => {
  const { page, complaints } = await open(REPORT, { colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.ready === '');
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.ok(pdf.length > 50_000, `${pdf.length} bytes of PDF`);
  const { boxes, drawn } = await page.evaluate(() => ({
    boxes: document.querySelectorAll('.plot-box').length,
    drawn: document.querySelectorAll('.plot-box > svg').length,
  }));
  assert.equal(drawn, boxes);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: A4_LANDSCAPE, height: 700 });
  const widest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('table, .plot-box > svg')].map(
        (one) => one.getBoundingClientRect().right,
      ),
    ),
  );
  assert.ok(widest <= A4_LANDSCAPE, `reaches to ${widest} pixels`);
  assert.deepEqual(await brokenHeadings(page), []);
  assert.deepEqual(complaints, []);
});

/** Headings of columns, a word of which is on several lines. */
function brokenHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const range = document.createRange();
    const broken: string[] = [];
    for (const heading of document.querySelectorAll('thead th')) {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { 0: word, index } of text.textContent!.matchAll(/[^\s/]+/g)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (tops.size > 1) broken.push(`${heading.textContent}: ${word}`);
        }
      }
    }
    return [...new Set(broken)];
  });
}

test('forty runs: a few are drawn at first, all can be; one run: no comparison', {
  skip: noBrowser,
}, async () => {
  const many = await open(MANY);
  await look(many.page, RATE);
  assert.equal(await many.page.locator(`${RATE} rect.plot`).count(), 8);
  await many.page.locator('input[data-row="39"]').check();
  await many.page.waitForFunction(
    (rate) => document.querySelectorAll(`${rate} rect.plot`).length === 9,
    RATE,
  );
  const one = await open(ONE);
  await look(one.page, RATE);
  assert.equal(await one.page.locator('#verdict, #t-relative').count(), 0);
  const height = (): Promise<number> =>
    one.page.locator(RATE).evaluate((box) => box.getBoundingClientRect().height);
  const drawn = await height();
  await one.page.locator('input[data-row="0"]').uncheck();
  await one.page.locator(`${RATE} .note`).waitFor();
  assert.equal(await height(), drawn, 'the page jumps when all rows are hidden');
  assert.deepEqual([...many.complaints, ...one.complaints], []);
});

test('a step that is invalid and a run that is suspect are on top of the page, and in its chart', {
  skip: noBrowser,
}, async () => {
  const { page } = await open(ONE);
  assert.deepEqual(
    (await page.locator('#caveats .strip-list li').allTextContents()).map((text) =>
      text.replace(/run [\d-]+/, 'run X'),
    ),
    [
      'pg18.a (run X): suspect: the host was not as in 9 earlier runs: the CPU loop took 190 ms, 127 ms ± 5%',
      '⊘ invalid: pg18.a (run X), l.i1: work_mem was 4096 kB, is 1024 kB',
    ],
  );
  assert.match(
    (await page.locator('.strip').allTextContents()).join(),
    /1 step invalid.*1 suspect.*1 warning/,
  );
  await look(page, RATE);
  assert.match((await page.locator(`${RATE} > svg`).textContent())!, /⊘ pg18\.a.*⊘ invalid/);
  assert.match(
    (await page.locator('[id="l.i1"] > .invalid').textContent())!,
    /^⊘ pg18\.a \(run [\d-]+\): invalid: work_mem was 4096 kB, is 1024 kB$/,
  );
});

test('every chart has a name, every heading a place, and every link leads somewhere', {
  skip: noBrowser,
}, async () => {
  const { page } = await open(REPORT);
  await look(page, RATE);
  assert.match(
    (await page.locator(`${RATE} > svg`).getAttribute('aria-label'))!,
    /Rows inserted per second.*average/,
  );
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => decodeURIComponent(link.getAttribute('href')!.slice(1)))
      .filter((id) => document.getElementById(id) === null),
  );
  assert.deepEqual(broken, []);
});

async function look(page: Page, selector: string, nth = 0): Promise<void> {
  const box = page.locator(selector).nth(nth);
  await box.scrollIntoViewIfNeeded();
  await box.locator('svg').first().waitFor({ state: 'attached' });
}

async function dotsIn(page: Page, selector: string): Promise<number> {
  await look(page, selector);
  const path = await page.locator(`${selector} path.dots`).first().getAttribute('d');
  return path!.split('M').length - 1;
}

function report(out: string, choice: Parameters<typeof generateStore>[1]): void {
  const store = out.replace('.html', '.sqlite');
  generateStore(store, choice);
  execFileSync(process.execPath, [CLI, 'report', '--db', store, '--out', out], { stdio: 'pipe' });
}
