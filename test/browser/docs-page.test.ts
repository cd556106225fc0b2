import { expect, test } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests, forEachTest } from '../helpers/shared.js';
import { axeFindings } from './axe-findings.js';
import { launchBrowser, openPage } from './browser.js';

/** The page that documents and tries the API, in a real browser. */
const engine = forAllTests(startEngine);
const browser = forEachTest(launchBrowser);

/** An order, a command with every sort of parameter, a list with choices, and what the engine sends. */
const opened = [
  '#operations-Payments-orderPayment',
  '#operations-Payments-capturePayment',
  '#operations-Notifications-listNotifications',
  '.webhooks .opblock:has([data-path="payment.captured"])',
];

test.each([
  [375, 'dark'],
  [1280, 'light'],
] as const)(
  'at %i px, %s: shows each operation whole, nothing wider than the page, and nothing that axe finds wrong',
  async (width, colorScheme) => {
    const page = await openPage(browser, { viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().includes('Error')) complaints.push(message.text());
    });
    const assertFit = async (place?: string) => {
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([place, wide, await axeFindings(page, place)]).toEqual([place, width, []]);
    };
    await page.goto(`${engine.apiUrl}/docs`);
    await page.locator('.webhooks').waitFor();
    await assertFit();
    for (const place of opened) {
      const operation = page.locator(place);
      const fold = operation.locator('.opblock-summary-control');
      await fold.click();
      await operation.locator('.responses-table').waitFor();
      await assertFit(place);
      await fold.click();
    }
    expect(complaints).toEqual([]);
  },
);

test('shows the whole example of an answer and of a notification', async () => {
  const page = await openPage(browser);
  await page.goto(`${engine.apiUrl}/docs`);
  const examples = [
    ['#operations-Payments-getPayment', '"state": "partially_captured"'],
    [opened[3] ?? '', '"type": "payment.captured"'],
  ] as const;
  for (const [place, text] of examples) {
    const operation = page.locator(place);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByText(text).first().waitFor();
  }
});

test('prefills a key also where it is neither https nor of the own machine', async () => {
  const elsewhere = await launchBrowser(['--host-resolver-rules=MAP docs.example 127.0.0.1']);
  try {
    const page = await openPage(elsewhere);
    await page.goto(`http://docs.example:${new URL(engine.apiUrl).port}/docs`);
    expect(await page.evaluate('typeof crypto.randomUUID')).toBe('undefined');
    const operation = page.locator('#operations-Payments-orderPayment');
    await operation.locator('.opblock-summary-control').click();
    const key = operation.locator('tr[data-param-name="Idempotency-Key"] input');
    expect(await key.inputValue()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  } finally {
    await elsewhere.close();
  }
});

test('executes the first order as it is prefilled, each time under a key of its own', async () => {
  const page = await openPage(browser);
  await page.goto(`${engine.apiUrl}/docs`);
  await page.locator('.btn.authorize').click();
  await page.locator('.dialog-ux input').fill(engine.apiKey);
  await page
    .locator('.dialog-ux')
    .getByRole('button', { name: /^Apply|^Authorize/ })
    .click();
  await page.locator('.dialog-ux .btn-done').click();
  const keys: string[] = [];
  for (const operationId of ['orderPayment', 'orderPlan', 'orderPayout']) {
    const tag = `${operationId.slice('order'.length)}s`;
    const operation = page.locator(`#operations-${tag}-${operationId}`);
    await operation.locator('.opblock-summary-control').click();
    const key = operation.locator('tr[data-param-name="Idempotency-Key"] input');
    keys.push(await key.inputValue());
    await operation.locator('.execute').click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    expect(['201', '202'], operationId).toContain((await status.innerText()).trim().slice(0, 3));
  }
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(new Set(keys)).toHaveLength(3);
  expect(await axeFindings(page)).toEqual([]);
});
