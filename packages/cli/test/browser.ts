import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium, noBrowser } from './chromium.ts';

/** A page that was opened from a file, and everything about it that should not have happened. */
export interface OpenPage {
  readonly page: Page;
  /** Requests other than the file, messages on the console, errors. */
  readonly complaints: readonly string[];
}

/** Opens files, with a query after their address, in one browser, which is closed after the tests of the file. */
export function browserOfSuite(): (
  file: string,
  options?: BrowserContextOptions,
  query?: string,
) => Promise<OpenPage> {
  let browser: Browser | undefined;
  before(async () => {
    if (noBrowser === false) browser = await launchChromium();
  });
  after(() => browser?.close());
  return async (file, options = {}, query = '') => {
    assert.ok(browser);
    const context = await browser.newContext({
      viewport: { width: 1300, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const own = pathToFileURL(file).href + query;
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== own) complaints.push(`request ${request.url()}`);
    });
    page.on('console', (message) => complaints.push(`console ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error ${error.message}`));
    await page.goto(own);
    return { page, complaints };
  };
}
