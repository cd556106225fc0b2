import { beforeAll, describe, expect, it } from 'vitest';
import { authorizedState } from '../api/api-fixture.js';
import { NotifiedShop } from '../api/notified-shop.js';
import { launchBrowser } from '../browser/browser.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ConsoleBrowser } from './console-browser.js';
import { auditOf } from './console-rows.js';
import { consoleUsers } from './console-users.js';

let otto: ConsoleBrowser;
const shop = forAllTests(() => NotifiedShop.start({ waitsMs: [600_000] }, { consoleUsers }));
const browser = forAllTests(launchBrowser);
beforeAll(async () => {
  otto = await ConsoleBrowser.signedIn(browser, shop.api.url, 'otto');
});

const change = async (id: string, state: 'enabled' | 'disabled') =>
  await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, { body: { state } });

async function disabled() {
  const endpoint = await shop.endpoint();
  await change(endpoint.id, 'disabled');
  return { ...endpoint, address: `/console/endpoints/${endpoint.id}` };
}

/** The same, with a notification that waits for its second attempt. */
async function disabledAndWaiting() {
  const endpoint = await shop.endpoint();
  const { id, receiver } = endpoint;
  receiver.answer = (response) => response.writeHead(500).end();
  const paymentId = await shop.api.paymentWith(authorizedState());
  await until(
    () => shop.list(`subject=${paymentId}&endpoint=${id}`),
    ([notification]) => notification?.deliveries.some(({ lastStatus }) => lastStatus === 500) === true,
    'the first attempt',
  );
  await change(id, 'disabled');
  receiver.answer = (response) => response.writeHead(204).end();
  return { ...endpoint, address: `/console/endpoints/${id}` };
}

const stateOf = async (id: string) =>
  (await shop.api.call('GET', `/v1/notification-endpoints/${id}`)).body['state'];

async function confirms(): Promise<void> {
  await otto.page.getByLabel('Reason').fill('The shop is up again');
  await otto.isAccessible();
  await otto.page.getByRole('button', { name: 'Continue' }).click();
  await otto.page.waitForURL('**/enable/confirm?**');
  await otto.isAccessible();
}

const enablesNow = () => otto.page.getByRole('button', { name: 'Enable now' }).click();

describe('an operator', () => {
  it('enables an endpoint that is disabled: what waits is delivered, and the audit trail says why', async () => {
    const { id, receiver, address } = await disabledAndWaiting();
    const before = receiver.received.length;
    await otto.goto(address);
    await otto.page.getByRole('link', { name: 'Enable' }).click();
    await otto.page.waitForURL('**/enable');
    await confirms();
    expect(await otto.text()).toContain('It was disabled over the API.');
    const form = await otto.page.evaluate<string>(
      "String(new URLSearchParams(new FormData(document.querySelector('main form[method=post]'))))",
    );
    await enablesNow();
    await otto.page.waitForURL('**?done=enabled');
    expect(await otto.text()).toContain('It is enabled');
    expect(await otto.page.getByRole('link', { name: 'Enable' }).count()).toBe(0);
    await until(
      async () => receiver.received.length,
      (count) => count === before + 1,
      'what waits',
    );
    expect(await auditOf(shop.api.db, id)).toEqual([
      { user_name: 'otto', action: 'enable notification endpoint', reason: 'The shop is up again' },
    ]);

    // The form once more: it has acted once.
    const again = await otto.page.evaluate<number>(
      `(async () => (await fetch('${address}/enable', { method: 'POST', body: new URLSearchParams('${form}') })).status)()`,
    );
    expect(again).toBe(409);
    await otto.page.goBack();
    await otto.page.getByText('The endpoint is enabled. Nothing was done.').waitFor();
    expect(await auditOf(shop.api.db, id)).toHaveLength(1);
  });

  it('sees what was not sent while it was disabled, and is led to send it once it is enabled', async () => {
    const { receiver, address } = await disabled();
    await shop.api.paymentWith(authorizedState());
    await otto.goto(address);
    expect(await otto.text()).toContain('Not sent: the endpoint was disabled.');
    await otto.goto(`${address}/enable`);
    await confirms();
    expect(await otto.text()).toContain('What has failed (1), also what was written while it was disabled');
    await enablesNow();
    await otto.page.waitForURL('**?done=enabled');
    await otto.isAccessible();
    expect(receiver.received).toEqual([]);
    await otto.page.getByRole('link', { name: 'resend it' }).click();
    await otto.page.getByLabel('Reason').fill('The shop is up again');
    await otto.page.getByRole('button', { name: 'Continue' }).click();
    await otto.page.getByRole('button', { name: 'Resend now' }).click();
    await otto.page.waitForURL('**?done=1');
    await until(
      async () => receiver.received.length,
      (count) => count === 1,
      'what was not sent',
    );
  });

  it('is asked again if the endpoint was disabled again since the confirmation', async () => {
    const { id, address } = await disabled();
    await otto.goto(`${address}/enable`);
    await confirms();
    await change(id, 'enabled');
    await change(id, 'disabled');
    await enablesNow();
    await otto.page.getByText('Something has changed since the form was made.').waitFor();
    expect(await stateOf(id)).toBe('disabled');
    expect(await auditOf(shop.api.db, id)).toEqual([]);
    await enablesNow();
    await otto.page.waitForURL('**?done=enabled');
    expect(await stateOf(id)).toBe('enabled');
  });

  it('must give a reason', async () => {
    const { id, address } = await disabled();
    expect(await otto.goto(`${address}/enable/confirm`)).toBe(422);
    expect(await otto.page.locator('[aria-invalid=true]').count()).toBe(1);
    expect(await stateOf(id)).toBe('disabled');
  });
});

describe('a viewer', () => {
  it('can enable nothing', async () => {
    const { id, address } = await disabled();
    const vera = await ConsoleBrowser.signedIn(browser, shop.api.url, 'vera');
    await vera.goto(address);
    expect(await vera.page.getByRole('link', { name: 'Enable' }).count()).toBe(0);
    expect(await vera.goto(`${address}/enable`)).toBe(403);
    await vera.goto(address);
    const status = await vera.page.evaluate<number>(`(async () => {
      const token = document.querySelector('input[name=_csrf]').value;
      const body = new URLSearchParams({ _csrf: token, seen: new Date().toISOString(), reason: 'x' });
      return (await fetch('${address}/enable', { method: 'POST', body })).status;
    })()`);
    expect(status).toBe(403);
    expect(await stateOf(id)).toBe('disabled');
  });
});

describe('the address of an endpoint', () => {
  it('is whole on its page for operators, and nowhere else with a query, which may hold a secret', async () => {
    const { url } = await shop.receiver();
    const { id } = await shop.register({ url: `${url}?token=s3cret` });
    const address = `/console/endpoints/${id}`;
    await otto.goto(address);
    expect(await otto.text()).toContain(`${url}?token=s3cret`);
    for (const path of ['/console/endpoints', `${address}/resend`]) {
      await otto.goto(path);
      expect(await otto.page.content(), path).not.toContain('s3cret');
    }
    const vera = await ConsoleBrowser.signedIn(browser, shop.api.url, 'vera');
    for (const path of [address, '/console/endpoints']) {
      await vera.goto(path);
      expect(await vera.page.content(), path).not.toContain('s3cret');
      expect(await vera.text(), path).toContain(url);
    }
  });
});

it('no page breaks its policy', () => {
  expect(otto.complaints).toEqual([]);
});
