import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../browser/browser.js';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { plant } from './planted-markup.js';
import { tabTo } from './tab-to.js';

describe('the forms of the dashboards, without JavaScript', () => {
  let browser: Browser;
  let page: Page;
  let paymentId: string;

  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    ({ paymentId } = await plant(sandbox, receiver));
    browser = await launchBrowser();
    page = await openPage(browser, { javaScriptEnabled: false });
  });
  afterEach(() => sandbox.request('DELETE', '/admin/faults'));
  afterAll(async () => {
    await browser.close();
  });

  const open = (path: string) => page.goto(sandbox.url + path);

  it('switches a fault on by form, sees its effect and switches it off', async () => {
    await open('/dashboard/faults');
    await page.getByRole('link', { name: 'status', exact: true }).click();
    await page.getByLabel('status', { exact: true }).fill('503');
    await page.getByLabel('Operation').selectOption('payment.get');
    await page.getByRole('button', { name: 'Switch on' }).click();
    expect(await page.getByRole('status').textContent()).toContain('The fault is on.');
    expect((await sandbox.call('GET', `/v1/payments/payment/${paymentId}`)).status).toBe(503);
    expect((await sandbox.call('GET', `/v1/payments/payment/${paymentId}`)).status).toBe(200);
    const row = page.getByRole('row').filter({ hasText: 'status' }).first();
    await page.reload();
    expect(await row.innerText()).toMatch(/used up\s+1 of 1\s+0/);
    await page.getByRole('button', { name: /^Remove status/ }).click();
    expect(await page.getByRole('status').textContent()).toContain('The fault is off.');
    expect(await sandbox.sql('SELECT id FROM faults')).toEqual([]);
  });

  it('finds a payment by its custom and aims a fault at it, with the keyboard, and is told at the field what is wrong', async () => {
    await open('/dashboard/transactions');
    await tabTo(page, 'Id, invoice number or custom');
    await page.keyboard.type('onerror=alert');
    await page.keyboard.press('Enter');
    await page.waitForURL(/transactions\?text=/);
    for (const name of [paymentId, 'Aim a fault at this payment', 'drop_reply']) {
      await tabTo(page, name);
      const before = page.url();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.href !== before);
    }
    const payment = page.getByLabel('Payment', { exact: true });
    expect(await payment.inputValue()).toBe(paymentId);
    await payment.fill('PAY-NOBODY');
    await page.getByLabel('Application').selectOption('shop');
    await page.getByLabel('How often it takes effect').fill('3');
    await page.getByRole('button', { name: 'Switch on' }).click();
    expect(await payment.getAttribute('aria-invalid')).toBe('true');
    const described = await payment.getAttribute('aria-describedby');
    expect(await page.locator(`#${described!.split(' ').at(-1)!}`).textContent()).toBe(
      'No payment has this id',
    );
    expect(await payment.inputValue()).toBe('PAY-NOBODY');
    expect(await page.getByLabel('Application').inputValue()).toBe('shop');
    expect(await page.getByLabel('How often it takes effect').inputValue()).toBe('3');
    expect(await sandbox.sql('SELECT id FROM faults')).toEqual([]);
    await payment.fill(paymentId);
    await page.getByRole('button', { name: 'Switch on' }).click();
    const row = page.getByRole('row').filter({ hasText: 'drop_reply' }).first();
    expect(await row.innerText()).toMatch(
      new RegExp(`0 of 3\\s+3[^]*only payment ${paymentId}, any operation`),
    );
  });

  it('switches one fault on by a form that is sent twice, and another one by another form', async () => {
    await open('/dashboard/faults/new?kind=drop_reply');
    const form = await page.locator('input[name=form]').getAttribute('value');
    const send = async (fields: string) =>
      (
        await sandbox.request('POST', '/dashboard/faults', `kind=drop_reply&form=${form}&times=1&${fields}`, {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).headers.get('location');
    const answers = await Promise.all([send('nth=1'), send('nth=1'), send('nth=1')]);
    expect(answers.filter((to) => to === '/dashboard/faults?done=fault-on')).toHaveLength(1);
    expect(answers.filter((to) => to === '/dashboard/faults?done=fault-on-before')).toHaveLength(2);
    expect(await send('nth=2')).toBe('/dashboard/faults?done=fault-on');
    expect(await sandbox.sql('SELECT id FROM faults')).toHaveLength(2);
  });

  it('is told at the field when the webhook of a resending form has been deleted', async () => {
    const [event] = await sandbox.sql("SELECT id FROM events WHERE event_type = 'PAYMENT.CAPTURE.COMPLETED'");
    const { body: webhook } = await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: `${receiver.url}/second`,
      event_types: [{ name: 'PAYMENT.SALE.DENIED' }],
    });
    await open(`/dashboard/events/${String(event!['id'])}`);
    await page.getByLabel('To', { exact: true }).selectOption(webhook.id);
    await sandbox.call('DELETE', `/v1/notifications/webhooks/${webhook.id}`);
    await page.getByRole('button', { name: 'Resend this event' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The event was not resent.');
    const to = page.getByLabel('To', { exact: true });
    expect(await to.getAttribute('aria-invalid')).toBe('true');
    expect(await to.inputValue()).toBe(webhook.id);
    expect(await page.locator('#webhook-issue').textContent()).toBe('No such webhook');
  });

  it('sees at the field what is wrong with a fault, and keeps what was typed', async () => {
    await open('/dashboard/faults/new?kind=reshape');
    await page.getByLabel('add', { exact: true }).fill('{"state": ');
    await page.getByLabel('How often it takes effect').fill('7');
    await page.getByRole('button', { name: 'Switch on' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The fault was not switched on.');
    expect(await page.getByLabel('add', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('How often it takes effect').inputValue()).toBe('7');
    await page.getByLabel('add', { exact: true }).fill('{"state": "odd"}');
    await page.getByLabel('How often it takes effect').fill('');
    await page.getByRole('button', { name: 'Switch on' }).click();
    expect(await page.locator('tbody tr').first().textContent()).toContain('always');
    await page.getByRole('button', { name: 'Switch all faults off' }).click();
    expect(await sandbox.sql('SELECT id FROM faults')).toEqual([]);
  });
});
