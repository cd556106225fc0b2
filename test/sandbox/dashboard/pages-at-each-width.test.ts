import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../browser/axe-findings.js';
import { launchBrowser, openPage, takePicture } from '../../browser/browser.js';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { CUT_OFF } from './cut-off.js';
import { plantLongRows } from './long-rows.js';
import { pathsOf, plant } from './planted-markup.js';

const sandbox = forAllTests(() => SandboxFixture.start());
const guarded = forAllTests(() => SandboxFixture.start({ adminToken: 'operator-token' }));
const receiver = forAllTests(() => WebhookReceiver.start());
let browser: Browser;
let paths: string[];
/** Ends the call that is under way while the pages are looked at. */
const leave = new AbortController();

beforeAll(async () => {
  const { paymentId } = await plant(sandbox, receiver);
  const long = await plantLongRows(sandbox, paymentId);
  await sandbox.switchOnFault({ kind: 'late', operation: 'payment.list', executeAfterMs: 600_000 });
  const authorization = `Bearer ${await sandbox.newToken()}`;
  void sandbox
    .request('GET', '/v1/payments/payment', undefined, { authorization }, leave.signal)
    .catch(() => undefined);
  // The books get a violation, so that its table is on the page.
  await sandbox.sql("UPDATE book_postings SET account = 'payee:NOBODY' WHERE amount_minor > 0");
  paths = [...(await pathsOf(sandbox, paymentId)), ...long];
  browser = await launchBrowser();
});
afterAll(async () => {
  leave.abort();
  await browser.close();
});

describe.each([
  ['light', 1280],
  ['dark', 375],
] as const)('%s, at %i pixels', (colorScheme, width) => {
  it('no page cuts anything off, breaks its policy, or is found wrong by axe', async () => {
    const page = await openPage(browser, { colorScheme, viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => {
      // A page that is answered with a refusal is reported, too, and is no fault of the page's.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const wrong: string[] = [];
    for (const [at, path] of paths.entries()) {
      const answer = await page.goto(sandbox.url + path);
      expect(answer!.status(), path).toBeLessThan(500);
      await takePicture(page, `sandbox-${at}-${colorScheme}-${width}`);
      const found = [...(await page.evaluate<string[]>(CUT_OFF)), ...(await axeFindings(page))];
      wrong.push(...found.map((finding) => `${path} ${finding}`));
    }
    expect(wrong).toEqual([]);
    await page.goto(`${guarded.url}/dashboard`);
    await page.getByLabel('Admin token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.locator('#token-issue').textContent()).toBe('The token is wrong.');
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it('rows are cards on a phone, each value under the name of its column, and rows of a table elsewhere', async () => {
  const page = await openPage(browser, { viewport: { width: 375, height: 900 } });
  await page.goto(`${sandbox.url}/dashboard/transactions`);
  const look = () => page.evaluate(LAYOUT_OF_AN_AMOUNT);
  expect(await look()).toEqual(['block', '"Amount"']);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await look()).toEqual(['table-row', 'none']);
});

it('the overview leads to a page for everything that it names', async () => {
  const page = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${sandbox.url}/dashboard`);
  const now = await page.locator('h2:text("Now") + ul').innerText();
  expect(now).toMatch(
    /2 payments\s+\d+ events? with (a )?failing deliver(y|ies)[^]*2 faults are on[^]*1 call is in flight/,
  );
  for (const row of await page.locator('tbody tr').all()) {
    for (const named of ['Client id', 'Account', 'Webhooks', 'History'])
      expect(await row.locator(`[data-label="${named}"] a`).count(), named).toBeGreaterThan(0);
  }
  const addresses = await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  for (const address of new Set(addresses.filter((href) => href !== null)))
    expect((await sandbox.request('GET', address)).status, address).toBe(200);
});

const LAYOUT_OF_AN_AMOUNT = `(() => {
  const cell = document.querySelector('td[data-label="Amount"]');
  return [getComputedStyle(cell.closest('tr')).display, getComputedStyle(cell, '::before').content];
})()`;
