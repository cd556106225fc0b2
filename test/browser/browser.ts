import { existsSync, mkdirSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium as playwright, type Page } from 'playwright-core';

/** Without these, a browser on a closed network spends its start looking for its vendor. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Ends what hangs; a slow machine needs minutes to start a browser. */
const timeout = 300_000;

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** An installed Chrome or Chromium; else, on Linux, the one that npm brought. One for each test: it goes down with its first context. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const own = installed.find((path) => existsSync(path));
  if (own !== undefined)
    return await playwright.launch({
      executablePath: own,
      args: ['--no-sandbox', ...quiet, ...args],
      timeout,
    });
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    // The one that npm brings would let any page read any other, and tell no server whose page calls.
    args: [...chromium.args.filter((arg) => arg !== '--disable-web-security'), ...quiet, ...args],
    timeout,
  });
}

/** A page in a context of its own. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(timeout);
  return page;
}

const pictures = new URL('../../.data/screenshots/', import.meta.url).pathname;

/** For people to look at: `PICTURES=1 npm test -- test/console/pages.test.ts`. It is a quarter of the work of such a test. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}
