import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../browser/browser.js';
import { forAllTests } from '../../helpers/shared.js';
import { ACCESSIBILITY_FAULTS } from './accessibility-faults.js';
import { CLIENT_SECRET, eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { ADDRESS_SECRET, MARKUP, pathsOf, plant } from './planted-markup.js';
import { tabTo } from './tab-to.js';

describe('an operator with a browser and no JavaScript', () => {
  let browser: Browser;
  let page: Page;
  let paymentId: string;
  let captureId: string;

  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    ({ paymentId, captureId } = await plant(sandbox, receiver));
    browser = await launchBrowser();
    page = await openPage(browser, { javaScriptEnabled: false });
  });
  afterAll(async () => {
    await browser.close();
  });

  const open = async (path: string) => {
    const answer = await page.goto(sandbox.url + path);
    return answer!;
  };

  it('finds a call, opens it, finds its event and resends it, with the keyboard alone', async () => {
    await eventually(() => receiver.deliveries.length).toBeGreaterThan(2);
    await open('/dashboard');
    await tabTo(page, 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'API call history');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls$/);
    await tabTo(page, 'Address or transaction id');
    await page.keyboard.type(captureId);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls\?text=/);
    await tabTo(page, /^POST .*capture/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls\/\w+$/);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^POST .*\/capture$/);
    expect(await page.locator('pre').last().textContent()).toContain(`"id": "${captureId}"`);
    await tabTo(page, captureId);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/transactions\//);
    expect(await page.getByRole('table').first().textContent()).toContain('40.00 USD');
    await tabTo(page, 'PAYMENT.CAPTURE.COMPLETED');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/events\/WH-/);
    const before = receiver.deliveries.length;
    await tabTo(page, 'Resend this event');
    await page.keyboard.press('Enter');
    await page.waitForURL(/done=resent$/);
    expect(await page.getByRole('status').textContent()).toContain('delivered once more');
    await eventually(() => receiver.deliveries.length).toBe(before + 1);
    await page.reload();
    expect(await page.getByRole('table').first().getByRole('row').count()).toBe(3);
  });

  it('resends once even if the form is sent twice', async () => {
    const [event] = await sandbox.sql(
      "SELECT id FROM events WHERE event_type = 'PAYMENT.AUTHORIZATION.CREATED'",
    );
    const { body } = await sandbox.request('GET', `/dashboard/events/${String(event!['id'])}`);
    const last = /name="lastDelivery" value="(\d+)"/.exec(body)![1];
    const send = () =>
      sandbox.request(
        'POST',
        `/dashboard/events/${String(event!['id'])}/resend`,
        `webhook=&lastDelivery=${last}`,
        {
          'content-type': 'application/x-www-form-urlencoded',
        },
      );
    const answers = await Promise.all([send(), send(), send()]);
    expect(
      answers.map(({ headers }) => new URL(headers.get('location')!, sandbox.url).search).toSorted(),
    ).toEqual(['?done=resent', '?done=resent-before', '?done=resent-before']);
    const rows = await sandbox.sql(`SELECT id FROM deliveries WHERE event_id = '${String(event!['id'])}'`);
    expect(rows).toHaveLength(2);
  });

  it('shows planted markup as text, and no secret, on any page', async () => {
    for (const path of await pathsOf(sandbox, paymentId)) {
      const answer = await open(path);
      expect(answer.status(), path).toBeLessThan(500);
      expect(answer.headers()['content-security-policy']).toContain("form-action 'self'");
      const source = await answer.text();
      expect(source, path).not.toMatch(/<script|<img/i);
      expect(await page.title()).not.toBe('hit');
      for (const secret of [ADDRESS_SECRET, CLIENT_SECRET, 'planted', 'markup-secret', 'A21AA'])
        expect(source, path).not.toContain(secret);
    }
    await open('/dashboard/events/WH-MARKUP');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(MARKUP);
  });

  it('finds on every page a title, a heading, landmarks, labels, captions and visible focus', async () => {
    const scripted = await openPage(browser);
    for (const path of await pathsOf(sandbox, paymentId)) {
      await scripted.goto(sandbox.url + path);
      expect(await scripted.evaluate(ACCESSIBILITY_FAULTS), path).toEqual([]);
      await scripted.keyboard.press('Tab');
      expect(await scripted.evaluate('getComputedStyle(document.activeElement).outlineStyle'), path).toBe(
        'solid',
      );
    }
  });

  it('pages through the history to its end and back', async () => {
    for (let call = 0; call < 120; call += 1) await sandbox.call('GET', `/v1/payments/payment/PAGE-${call}`);
    await open('/dashboard/calls?text=PAGE-&status=404');
    const seen: string[] = [];
    for (;;) {
      seen.push(
        ...(await page.locator('tbody tr td:nth-child(3)').allTextContents()).map((text) => text.trim()),
      );
      const older = page.getByRole('link', { name: 'Older' });
      if ((await older.count()) === 0) break;
      await older.click();
    }
    // Calls of one millisecond have no order among themselves.
    expect(seen.toSorted()).toEqual(
      Array.from({ length: 120 }, (_, call) => `GET /v1/payments/payment/PAGE-${call}`).toSorted(),
    );
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.getByRole('link', { name: 'Newer' }).click();
    expect(await page.getByRole('link', { name: 'Newer' }).count()).toBe(0);
    expect(await page.getByLabel('Status').inputValue()).toBe('404');
  });

  it('reads in words what is missing', async () => {
    expect((await open('/dashboard/calls/NONE')).status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found');
    expect((await open('/dashboard/nowhere')).status()).toBe(404);
  });
});
