import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../../browser/browser.js';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { planBody, regular, Subscriptions, tokenOf, trial } from './subscription-calls.js';

let subscriptions: Subscriptions;
let browser: Browser;
let page: Page;

const sandbox = forAllTests(() => SandboxFixture.start());

beforeAll(async () => {
  subscriptions = new Subscriptions(sandbox);
  browser = await launchBrowser();
  page = await openPage(browser, { javaScriptEnabled: false });
});
afterAll(async () => {
  await browser.close();
});

/** A token of an agreement whose shop is this service's health page. */
async function open(): Promise<string> {
  const plan = planBody(
    {
      type: 'INFINITE',
      payment_definitions: [
        regular({ cycles: '0', charge_models: [{ type: 'TAX', amount: { value: '1', currency: 'USD' } }] }),
        trial({ frequency: 'WEEK', frequency_interval: '2' }),
      ],
    },
    {
      setup_fee: { value: '5', currency: 'USD' },
      return_url: `${sandbox.url}/healthz?order=7`,
      cancel_url: `${sandbox.url}/healthz?cancelled`,
    },
  );
  const created = await subscriptions.createAgreement(await subscriptions.activePlan(plan), {
    name: 'Tea & <b>cups</b>',
    start_date: '2099-01-31T10:00:00Z',
  });
  const token = tokenOf(created);
  await page.goto(`${sandbox.url}/checkout/agreement?token=${token}`);
  return token;
}

describe('a payer with a browser and no JavaScript', () => {
  test('reads what will be paid, approves with the keyboard only and returns with the token', async () => {
    const token = await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Approve these regular payments?',
    );
    expect(await page.getByRole('definition').allTextContents()).toEqual([
      'Tea & <b>cups</b>',
      'The magazine',
      '2099-01-31 10:00 UTC',
      '5.00 USD',
      '1.00 USD every 2 weeks, 2 times',
      '11.00 USD every month, until it is cancelled',
      expect.stringMatching(/^Account /),
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/healthz/);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ order: '7', token });
    expect((await subscriptions.execute(token)).body.state).toBe('Active');
  });

  test('cancels, and may still come back and approve', async () => {
    const token = await open();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/healthz\?cancelled/);
    expect((await subscriptions.execute(token)).body.name).toBe('PAYMENT_NOT_APPROVED_FOR_EXECUTION');
    await page.goto(`${sandbox.url}/checkout/agreement?token=${token}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/healthz\?order=7/);
    await page.goto(`${sandbox.url}/checkout/agreement?token=${token}`);
    expect(await page.getByRole('status').textContent()).toBe('You have approved these payments.');
    expect((await subscriptions.execute(token)).status).toBe(200);
  });

  test('chooses the paying account when there are several', async () => {
    const account = {
      id: 'OTHERPAYER',
      email: 'other@sandbox.example',
      firstName: 'Other',
      lastName: 'Payer',
    };
    await sandbox.request('POST', '/admin/accounts', account);
    const token = await open();
    await page.getByLabel('Pay from').selectOption('OTHERPAYER');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/healthz/);
    const executed = await subscriptions.execute(token);
    expect(executed.body.payer.payer_info.payer_id).toBe('OTHERPAYER');
    const [sale] = await sandbox.sql(
      `SELECT payer_id FROM sales WHERE billing_agreement_id = '${executed.body.id}'`,
    );
    expect(sale).toEqual({ payer_id: 'OTHERPAYER' });
  });

  test('is told of an agreement that is unknown, or over', async () => {
    const missing = await page.goto(`${sandbox.url}/checkout/agreement?token=EC-00000000000000000`);
    expect([missing?.status(), await page.title()]).toEqual([404, 'Agreement not found']);
    const token = await open();
    await sandbox.sql(`UPDATE billing_agreements SET expires_at = created_at WHERE token = '${token}'`);
    await page.reload();
    expect(await page.getByRole('status').textContent()).toContain('is over');
    expect((await subscriptions.approve(token)).status).toBe(409);
    expect((await subscriptions.execute(token)).body.name).toBe('PAYMENT_EXPIRED');
  });
});

test('refuses forms without a token, with another’s account, and cancelling what is approved', async () => {
  const post = (action: string, fields: Record<string, string>) =>
    fetch(`${sandbox.url}/checkout/agreement/${action}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    });
  expect((await post('approve', {})).status).toBe(404);
  const token = await open();
  expect((await post('approve', { token, accountId: 'LIVEPAYER1' })).status).toBe(409);
  expect((await post('approve', { token })).status).toBe(303);
  expect((await post('cancel', { token })).status).toBe(409);
  expect(await sandbox.violations()).toEqual([]);
});
