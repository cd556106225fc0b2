import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../../browser/browser.js';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, paymentBody, SandboxFixture } from '../sandbox-fixture.js';
import { execute, newAccount, payment } from './payment-service.js';

describe('a payer with a browser and no JavaScript', () => {
  let shop: Server;
  let shopUrl: string;
  let browser: Browser;
  let page: Page;

  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    // The order's own pages: the engine's address redirects on to the shop's, at another origin.
    shop = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://shop');
      if (pathname === '/engine')
        response.writeHead(303, { location: `http://localhost:${portOf(shop)}/shop${search}` });
      else response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(pathname);
    });
    await new Promise<void>((resolve) => shop.listen(0, resolve));
    shopUrl = `http://127.0.0.1:${portOf(shop)}`;
    browser = await launchBrowser();
    page = await openPage(browser, { javaScriptEnabled: false });
  });
  afterAll(async () => {
    await browser.close();
    shop.closeAllConnections();
    shop.close();
  });

  const open = async (): Promise<string> => {
    const redirect_urls = { return_url: `${shopUrl}/engine?order=7`, cancel_url: `${shopUrl}/cancelled` };
    const transaction = { description: 'Tea & <b>cups</b>', payee: { email: 'shop@example.com' } };
    const body = paymentBody({ transaction, payment: { redirect_urls } });
    const created = await sandbox.call('POST', '/v1/payments/payment', body);
    await page.goto(created.body.links.find(({ rel }: { rel: string }) => rel === 'approval_url').href);
    return created.body.id;
  };

  const approvalAddress = async (paymentId: string): Promise<string> =>
    (await payment(sandbox, paymentId)).links.find(({ rel }: { rel: string }) => rel === 'approval_url').href;

  it('approves with the keyboard only and arrives at the shop', async () => {
    const paymentId = await open();
    expect(await page.title()).toBe('Approve this payment?');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Approve this payment?');
    expect(await page.getByRole('definition').allTextContents()).toEqual([
      '100.00 USD',
      'Tea & <b>cups</b>',
      'shop@example.com',
      'Held now, collected later',
    ]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/shop\?/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ order: '7', paymentId });
    expect((await sandbox.execute(paymentId)).body.state).toBe('approved');
  });

  it('chooses an account with the keyboard only, and another one after a decline', async () => {
    const broke = await newAccount(sandbox, {
      email: 'broke@example.com',
      firstName: 'Anna',
      lastName: 'Broke',
      fundingDeclines: true,
    });
    const paymentId = await open();
    const choice = page.getByLabel('Pay from');
    expect(await choice.inputValue()).toBe(PAYER_ID);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Anna');
    expect(await choice.inputValue()).toBe(broke.id);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/shop\?/);
    expect(new URL(page.url()).searchParams.get('PayerID')).toBe(broke.id);
    expect((await execute(sandbox, paymentId, broke.id)).body.name).toBe('INSTRUMENT_DECLINED');

    await page.goto(await approvalAddress(paymentId));
    expect(await page.title()).toBe('Payment approved');
    await page.getByLabel('Pay from').selectOption({ label: `Sandbox Payer (${PAYER_ID})` });
    await page.getByRole('button', { name: 'Pay from this account instead' }).click();
    await page.waitForURL(/\/shop\?/);
    expect((await sandbox.execute(paymentId)).body.state).toBe('approved');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });

  it('cancels and arrives at the cancel address', async () => {
    await open();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/cancelled\?token=EC-/);
  });

  it('sees the page with its styles, which its policy allows by hash', async () => {
    await open();
    const button = page.getByRole('button', { name: 'Approve' });
    expect((await button.boundingBox())!.height).toBeGreaterThan(30);
  });
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
