import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { forEachTest } from '../helpers/shared.js';
import { launchBrowser, openPage, takePicture } from './browser.js';

// A payer with a real browser, at the provider's own page and back through the engine to the shop.

let engine: Engine;
let shop: Server;
let shopUrl: string;
beforeAll(async () => {
  shop = createServer((request, response) =>
    response.end(`<!doctype html><title>Shop</title><p>${request.url?.split('?')[0]}</p>`),
  );
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  engine = await startEngine();
});
const browser = forEachTest(launchBrowser);

afterAll(async () => {
  await engine.close();
  shop.close();
});

async function order(description: string) {
  const { body } = await engine.orders.order({
    description,
    returnUrl: `${shopUrl}/thanks`,
    cancelUrl: `${shopUrl}/cart`,
  });
  return { id: body.id, approvalUrl: body.approvalUrl ?? '' };
}

it('approves in the browser, without JavaScript, and comes back to the shop with the funds held', async () => {
  const { id, approvalUrl } = await order('Two books');
  const page = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(approvalUrl);
  await takePicture(page, 'payer-page');
  expect(await page.locator('body').innerText()).toContain('100.00');
  await page.getByRole('button', { name: /approve/i }).click();
  await page.waitForURL(`${shopUrl}/thanks?**`);
  expect(new URL(page.url()).searchParams.get('state')).toBe('authorized');
  expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
});

it('cancels with the keyboard only and comes back to the cart with nothing held', async () => {
  const { id, approvalUrl } = await order('Two books');
  const page = await openPage(browser);
  await page.goto(approvalUrl);
  const cancel = page.getByRole('button', { name: /cancel/i });
  for (let tabs = 0; tabs < 10 && !(await cancel.evaluate((button) => button.matches(':focus'))); tabs += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shopUrl}/cart?**`);
  await engine.orders.reaches(id, 'cancelled');
  expect(await engine.sandbox.booksOf(id)).toEqual([]);
});

it('shows the order’s text as text, never as markup (case 26)', async () => {
  const { approvalUrl } = await order('<script>document.title = "owned"</script><b>x</b>');
  const page = await openPage(browser);
  await page.goto(approvalUrl);
  expect(await page.title()).not.toBe('owned');
  expect(await page.locator('body').innerText()).toContain('<b>x</b>');
});
