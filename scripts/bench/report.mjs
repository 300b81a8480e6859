// Measures reports of generated runs: bytes, time to build, time to open in a browser (median of three), time until the
// charts of a step are drawn. Cases: 3 runs of 10 steps of an hour; 40 runs of the same.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launchChromium, noBrowser } from '../../packages/cli/dist/test/chromium.js';
import { generateStore } from '../../packages/cli/dist/test/generated-store.js';
import { describeMachine } from './machine.mjs';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/ibench.js', import.meta.url));
const STEPS = [
  'l.i0',
  'l.x',
  'l.i1',
  'l.i2',
  'qr100',
  'qp100',
  'qr500',
  'qp500',
  'qr1000',
  'qp1000',
];
const RATE = '.plot-box[data-step="l.i1"][data-chart="insert-rate"]';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'ibench-bench-report-'));
try {
  console.log(describeMachine());
  for (const runs of process.argv.includes('--quick') ? [3] : [3, 40]) await measure(runs, 3600);
} finally {
  fs.rmSync(directory, { recursive: true, force: true });
}

async function measure(count, seconds) {
  const store = path.join(directory, `${count}.sqlite`);
  const page = path.join(directory, `${count}.html`);
  const runs = Array.from({ length: count }, (_, i) => ({ tag: `pg${i}.a`, speed: 1 + i / 50 }));
  process.stderr.write(`making a store of ${count} runs …\n`);
  generateStore(store, { runs, steps: STEPS, seconds });
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [
    CLI,
    'report',
    '--db',
    store,
    '--out',
    page,
  ]);
  if (status !== 0) throw new Error(String(stderr));
  const built = performance.now() - started;
  const megabytes = fs.statSync(page).size / 1e6;
  const opened = noBrowser === false ? await openTimes(page) : noBrowser;
  console.log(
    `${count} runs × ${STEPS.length} steps × ${seconds} s: ${megabytes.toFixed(2)} MB, built in ${(built / 1000).toFixed(1)} s, ${opened}`,
  );
}

async function openTimes(file) {
  const browser = await launchChromium();
  try {
    const times = [];
    for (let i = 0; i < 3; i++) times.push(await openOnce(browser, file));
    const median = (name) =>
      times
        .map((one) => one[name])
        .sort((a, b) => a - b)[1]
        .toFixed(0);
    return `opened in ${median('open')} ms (${median('cpu')} ms of CPU), charts of l.i1 drawn ${median('draw')} ms after going there`;
  } finally {
    await browser.close();
  }
}

async function openOnce(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(pathToFileURL(file).href);
  const { metrics } = await session.send('Performance.getMetrics');
  const cpu = 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  const open = await page.evaluate(
    () => performance.getEntriesByType('navigation')[0].loadEventEnd,
  );
  const draw = await page.evaluate(async (selector) => {
    const from = performance.now();
    const box = document.querySelector(selector);
    box.scrollIntoView();
    while (box.querySelector('svg') === null) await new Promise(requestAnimationFrame);
    return performance.now() - from;
  }, RATE);
  await page.close();
  return { open, cpu, draw };
}
