import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, takePicture } from '../browser/browser.js';
import { DoubtStage } from '../e2e/doubt-stage.js';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';
import { usd } from '../helpers/usd.js';

let stage: DoubtStage;
let browser: Browser;
let anna: ConsoleBrowser;
/** One page of each kind. */
let paths: string[];
let reviewed: string;
let subscription: string;
let payout: string;

beforeAll(async () => {
  stage = await DoubtStage.start({ reviewAfterMs: 100 }, { consoleUsers });
  const { engine } = stage;
  subscription = await stage.subscribed();
  const { body } = await engine.orders.post<{ id: string }>('/v1/payouts', randomUUID(), {
    reference: 'shares-1',
    emailSubject: 'Your share',
    items: [
      {
        itemId: 'anna-1',
        receiver: { type: 'EMAIL', value: 'anna+unclaimed@example.com' },
        amount: { value: '7.50', currency: 'USD' },
      },
    ],
  });
  payout = body.id;
  const captured = await stage.held();
  await engine.orders.capture(captured, { amount: usd('30.00') });
  const refund = await engine.orders.refund(captured, { amount: usd('5.00') });
  await stage.tellsNothing();
  const id = await stage.held();
  await stage.losesAnswers('authorization.capture');
  void engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
  await engine.orders.reaches(id, 'needs_review');
  reviewed = id;
  const plan = await engine.db.selectFrom('plans').select('id').executeTakeFirstOrThrow();
  const call = await engine.db.selectFrom('api_calls').select('id').executeTakeFirstOrThrow();
  const event = await until(
    () => engine.db.selectFrom('webhook_events').select('event_id').executeTakeFirst(),
    (row) => row !== undefined,
    'an event',
  );
  const { id: endpoint } = await registered(engine);
  paths = [
    '/console',
    '/console/queue',
    '/console/differences',
    '/console/endpoints',
    `/console/endpoints/${endpoint}`,
    `/console/endpoints/${endpoint}/resend`,
    `/console/payments/${captured}`,
    `/console/payments/${reviewed}`,
    `/console/payments/${reviewed}/decide`,
    `/console/refunds/${refund.body.id}`,
    subscription.replace('/v1', '/console'),
    `${subscription.replace('/v1', '/console')}/suspend`,
    `/console/plans/${plan.id}`,
    `/console/payouts/${payout}`,
    '/console/calls',
    '/console/calls?status=nonsense&from=yesterday',
    `/console/calls/${call.id}`,
    '/console/webhook-events',
    `/console/webhook-events/sandbox/shop/${event!.event_id}`,
    '/console/audit',
    '/console/search?id=nothing',
  ];
  browser = await launchBrowser();
  anna = await ConsoleBrowser.signedIn(browser, engine.apiUrl, 'anna');
});
/** An endpoint of an order service that has a test notification. */
async function registered(engine: Engine): Promise<{ readonly id: string }> {
  const path = '/v1/notification-endpoints';
  const url = 'http://127.0.0.1:9/told';
  const { body } = await engine.orders.post<{ id: string }>(path, randomUUID(), { url });
  await engine.orders.post(`${path}/${body.id}/test`, randomUUID(), {});
  return body;
}

afterAll(async () => {
  await browser.close();
  await stage.engine.close();
});

describe('every page', () => {
  it('is accessible, scrolls nowhere sideways and breaks its policy nowhere, wide and light, narrow and dark', async () => {
    const looks = [
      ['light', 1280],
      ['dark', 375],
    ] as const;
    for (const [colorScheme, width] of looks) {
      const options = { colorScheme, viewport: { width, height: 900 } };
      const user = await ConsoleBrowser.signedIn(browser, stage.engine.apiUrl, 'anna', options);
      for (const [at, path] of paths.entries()) {
        expect(await user.goto(path), path).toBeLessThan(500);
        await user.isAccessible();
        await takePicture(user.page, `console-${at}-${colorScheme}-${width}`);
      }
      expect(user.complaints).toEqual([]);
    }
  });
});

describe('a review', () => {
  it('is shown on the first screen and decided with its evidence', async () => {
    await anna.goto('/console');
    await anna.page
      .getByRole('row')
      .filter({ hasText: 'needs review' })
      .getByRole('link', { name: 'Decide' })
      .click();
    await anna.page.getByLabel('It did not happen').check();
    await anna.page.getByLabel('Reason').fill('Nothing at the provider');
    await anna.page.getByRole('button', { name: 'Continue' }).click();
    await anna.page.getByRole('button', { name: 'Decide the review now' }).click();
    // The provider shows the capture: no decision overrules it.
    await anna.page.getByRole('alert').or(anna.page.getByRole('status')).first().waitFor();
    await anna.goto(`/console/payments/${reviewed}`);
    expect(await anna.text()).toContain('anna: Nothing at the provider');
    expect(await stage.engine.sandbox.booksOf(reviewed)).toEqual(['hold 10000', 'capture 4000']);
  });
});

describe('a subscription', () => {
  it('is suspended by an operator', async () => {
    await anna.goto(`${subscription.replace('/v1', '/console')}/suspend`);
    await anna.page.getByLabel('Reason').fill('The payer is on leave');
    await anna.page.getByRole('button', { name: 'Continue' }).click();
    await anna.page.getByRole('button', { name: 'Suspend now' }).click();
    await anna.page.waitForURL('**?done=asked');
    expect(await anna.text()).toContain('suspended');
  });
});

describe('the item of a payout', () => {
  it('is cancelled by an operator', async () => {
    const address = `/v1/payouts/${payout}`;
    const isUnclaimed = async () =>
      (await stage.engine.orders.read<{ data: { state: string }[] }>(`${address}/items`)).data[0]?.state;
    await stage.check(address);
    await until(isUnclaimed, (status) => status === 'unclaimed', 'the item to be unclaimed');
    await anna.goto(`/console/payouts/${payout}`);
    await anna.page.getByRole('link', { name: 'Cancel anna-1' }).click();
    await anna.page.getByLabel('Reason').fill('A wrong address');
    await anna.page.getByRole('button', { name: 'Continue' }).click();
    await anna.page.getByRole('button', { name: 'Cancel an unclaimed item now' }).click();
    await anna.page.waitForURL('**?done=asked');
    expect(await isUnclaimed()).toBe('returned');
  });
});

describe('the lists', () => {
  it('find calls by method and status, and name what is wrong in a filter', async () => {
    await anna.goto('/console/calls?method=POST&path=capture');
    const rows = anna.page.locator('tbody tr');
    expect(await rows.count()).toBeGreaterThan(0);
    for (const text of await rows.allInnerTexts()) expect(text).toMatch(/POST .*capture/);
    expect(await anna.goto('/console/calls?status=nonsense')).toBe(422);
    expect(await anna.text()).toContain('must be a status');
    expect(await anna.goto('/console/webhook-events?cursor=nonsense')).toBe(422);
  });

  it('dispatch an event again, with who and why in the audit trail', async () => {
    await anna.goto('/console/webhook-events');
    await anna.page.locator('tbody a').first().click();
    await anna.page.getByLabel('Reason').fill('To be sure');
    await anna.page.getByRole('button', { name: 'Reprocess here' }).click();
    await anna.page.waitForURL('**?done=here');
    expect(await anna.text()).toContain('console:anna');
    await anna.goto('/console/audit');
    const row = anna.page.getByRole('row').filter({ hasText: 'reprocess webhook event' });
    expect(await row.innerText()).toContain('To be sure');
  });

  it('end the session of another user', async () => {
    const otto = await ConsoleBrowser.signedIn(browser, stage.engine.apiUrl, 'otto');
    await anna.goto('/console/audit');
    await anna.page.getByRole('button', { name: 'End the session of otto' }).first().click();
    await anna.page.waitForURL('**/console/audit');
    await otto.goto('/console');
    expect(new URL(otto.page.url()).pathname).toBe('/console/sign-in');
  });
});
