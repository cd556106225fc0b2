import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const hosts: Record<string, string> = {
  'shop.payments-test.com': '93.184.216.34',
  'inside.payments-test.com': '10.0.0.7',
};

describe('with public addresses alone', () => {
  let strict: NotifiedShop;
  let isMoved = false;
  beforeAll(async () => {
    strict = await NotifiedShop.start({
      allowsAnyAddress: false,
      waitsMs: [],
      resolve: async (host) => {
        const address = isMoved ? '127.0.0.1' : hosts[host];
        if (host === 'later.payments-test.com')
          throw Object.assign(new Error('later'), { code: 'EAI_AGAIN' });
        if (address === undefined) throw new Error('ENOTFOUND');
        return await Promise.resolve([{ address, family: 4 }]);
      },
    });
  });
  afterAll(async () => {
    await strict.close();
  });

  const internal = 'must be on the public internet: it leads to an internal address';
  test.each([
    ['no address', 'shop', 'must be an absolute http or https address'],
    ['another scheme', 'ftp://shop.payments-test.com/', 'must be an absolute http or https address'],
    ['plain http', 'http://shop.payments-test.com/', 'must be an https address'],
    ['credentials', 'https://a:b@shop.payments-test.com/', 'must not hold credentials'],
    ['a loopback address', 'https://127.0.0.1/told', internal],
    ['the same in other figures', 'https://0x7f000001/told', internal],
    ['the same as IPv6', 'https://[::ffff:127.0.0.1]/told', internal],
    ['a link-local address', 'https://169.254.169.254/latest', internal],
    ['a private address', 'https://192.168.1.1/', internal],
    ['a name of this host', 'https://localhost/', internal],
    ['a name of the own network', 'https://api.internal/', internal],
    ['a public name of a private address', 'https://inside.payments-test.com/', internal],
    ['a name of nobody', 'https://nobody.payments-test.com/', 'cannot be resolved: its host has no address'],
  ])('%s is refused, with the field', async (_case, url, detail) => {
    const answer = await strict.ask('', { url });
    expect([answer.status, answer.body['errors']]).toEqual([422, [{ pointer: '/url', detail }]]);
  });

  test('a host that cannot be resolved now is no fault of the request: it can be repeated', async () => {
    const answer = await strict.ask('', { url: 'https://later.payments-test.com/told' });
    expect([answer.status, answer.body['detail']]).toEqual([
      503,
      'The host of the address cannot be resolved now.',
    ]);
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });

  test('a registration that is repeated is answered again, also while its host cannot be resolved', async () => {
    const idempotencyKey = 'registered-before-the-outage';
    const body = { url: 'https://gone.payments-test.com/told' };
    hosts['gone.payments-test.com'] = '93.184.216.34';
    const first = await strict.ask('', body, { idempotencyKey });
    delete hosts['gone.payments-test.com'];
    const again = await strict.ask('', body, { idempotencyKey });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    await strict.forgetEndpoints();
  });

  test('case 24: an address that becomes internal later is not connected to, and the attempt says why', async () => {
    const reached = await strict.receiver();
    const { port } = new URL(reached.url);
    const { id } = await strict.register({ url: `https://shop.payments-test.com:${port}/told` });
    isMoved = true;
    const reported = await strict.delivered(await strict.api.paymentWith(authorizedState()), 'failed');
    expect(reported.attempts.map(({ reason }) => reason)).toEqual([
      'It could not be reached: it leads to an internal address.',
    ]);
    // As the row of an endpoint from before the rule.
    await strict.api.db
      .updateTable('notification_endpoints')
      .set({ url: reached.url })
      .where('id', '=', id)
      .execute();
    const again = await strict.delivered(await strict.api.paymentWith(authorizedState()), 'failed');
    expect(again.attempts.map(({ reason }) => reason)).toEqual(['The address is internal.']);
    expect(reached.received).toEqual([]);
  });
});
