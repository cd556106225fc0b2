import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

const PATH = '/v1/notifications/webhooks';

describe('the search for webhooks', () => {
  let second: Record<string, string>;
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    await sandbox.configure({ accountId: 'SHARED' });
    const settings = { clientSecret: 'second', accountId: 'SHARED' };
    await sandbox.request('PUT', '/admin/applications/second', settings);
    second = { authorization: `Bearer ${await sandbox.newToken('second', 'second')}` };
    await create('https://example.com/voided', ['PAYMENT.AUTHORIZATION.VOIDED', 'PAYMENT.SALE.DENIED']);
    await create('https://example.com/created', ['PAYMENT.AUTHORIZATION.CREATED']);
    await create('https://example.com/every', ['*']);
    await create('https://example.com/second', ['PAYMENT.AUTHORIZATION.VOIDED'], second);
  });
  beforeEach(() => sandbox.configure({ accountId: 'SHARED' }));

  const create = (url: string, names: string[], headers: Record<string, string> = {}) =>
    sandbox.call('POST', PATH, { url, event_types: names.map((name) => ({ name })) }, headers);
  const namesOf = async (query: string) => {
    const { body } = await sandbox.call('GET', `${PATH}?${query}`);
    return body.webhooks.map(({ url }: { url: string }) => url.slice('https://example.com/'.length));
  };

  const relsFor = async (webhookLinkRels: string) => {
    await sandbox.configure({ accountId: 'SHARED', webhookLinkRels });
    const { body } = await sandbox.call('GET', PATH);
    return body.webhooks[0].links.map(
      ({ rel, method }: { rel: string; method: string }) => `${rel} ${method}`,
    );
  };

  it('finds those that receive an event type, including the wildcard', async () => {
    expect(await namesOf('event_type=PAYMENT.AUTHORIZATION.VOIDED')).toEqual(['voided', 'every']);
    expect(await namesOf('event_type=PAYMENT.SALE.COMPLETED')).toEqual(['every']);
    expect(await namesOf('event_type=*')).toEqual(['every']);
  });

  it('searches the application, or the account that owns it', async () => {
    expect(await namesOf('anchor_type=APPLICATION')).toEqual(['voided', 'created', 'every']);
    expect(await namesOf('anchor_type=ACCOUNT')).toEqual(['voided', 'created', 'every', 'second']);
    const query = 'anchor_type=ACCOUNT&event_type=PAYMENT.AUTHORIZATION.VOIDED';
    expect(await namesOf(query)).toEqual(['voided', 'every', 'second']);
  });

  it('is refused with an unknown type', async () => {
    for (const query of ['event_type=NO.SUCH', 'anchor_type=WORLD']) {
      expect((await sandbox.call('GET', `${PATH}?${query}`)).body.name).toBe('VALIDATION_ERROR');
    }
  });

  it('answers rels in the spelling that the application asks for', async () => {
    const upper = ['SELF GET', 'UPDATE PATCH', 'DELETE DELETE'];
    const lower = ['self GET', 'update PATCH', 'delete DELETE'];
    expect(await relsFor('interface')).toEqual(upper);
    expect(await relsFor('paypal-v1')).toEqual(lower);
    expect(await relsFor('both')).toEqual([...upper, ...lower]);
  });
});
