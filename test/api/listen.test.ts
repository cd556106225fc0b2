import { expect, test } from 'vitest';
import { listenToNotifications } from '#tools/notification-listener.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start());

test('notifications are printed with subject, state and signature, until the listener leaves', async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  const listening = listenToNotifications({
    api: shop.api.url,
    apiKey: ApiFixture.shopKey,
    print: (line) => lines.push(line),
    signal: stop.signal,
  });
  await until(
    async () => lines.length,
    (count) => count > 0,
    'the listener',
  );
  const id = await shop.api.paymentWith(authorizedState());
  await until(
    async () => lines.length,
    (count) => count > 1,
    'a notification',
  );
  expect(lines[1]).toMatch(
    new RegExp(String.raw`^\S+Z {2}payment\.authorized {2}${id} {2}authorized {2}signature valid$`),
  );
  stop.abort();
  await listening;
  const { body } = await shop.api.call('GET', '/v1/notification-endpoints');
  expect(body).toEqual({ data: [], nextCursor: null });
});
