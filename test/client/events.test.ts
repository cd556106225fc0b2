import { describe, expect, it } from 'vitest';
import { type EventPage, NotFoundError } from '#payments-client';
import type { EventSearch } from '#payments-client/schemas/notification-requests.js';
import { forEachTest } from '../helpers/shared.js';
import { ConnectedSandbox } from './connected-sandbox.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const event = (id: string) => ({
  id,
  create_time: '2024-03-01T10:00:00Z',
  resource_type: 'capture',
  trigger_event: 'PAYMENT.CAPTURE.COMPLETED',
  resource: { id: 'CAP-1', state: 'completed', parent_payment: 'PAY-1' },
});

async function taken(pages: AsyncIterable<EventPage>): Promise<EventPage[]> {
  const all: EventPage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('the search for past events', () => {
  const provider = forEachTest(startScriptedProvider);

  const pages = async (search?: EventSearch) =>
    (await taken(provider.client().events.search(search))).map(({ events, unreadable }) => ({
      ids: events.map((found) => found.event.id),
      unreadable,
    }));

  it('asks for the next page with the query of its link, at our own address', async () => {
    const href = 'https://elsewhere.example/steal?start_id=WH-2&page_size=1';
    provider.script(
      json(200, { events: [event('WH-1')], links: [{ rel: 'next', href, method: 'GET' }] }),
      json(200, { events: [event('WH-2')], links: [] }),
    );
    const search = { startTime: '2024-03-01T00:00:00Z', eventType: 'PAYMENT.CAPTURE.COMPLETED', pageSize: 1 };
    expect(await pages(search)).toEqual([
      { ids: ['WH-1'], unreadable: 0 },
      { ids: ['WH-2'], unreadable: 0 },
    ]);
    expect(provider.requests.map(({ path }) => path)).toEqual([
      '/v1/notifications/webhooks-events?page_size=1&start_time=2024-03-01T00%3A00%3A00Z&event_type=PAYMENT.CAPTURE.COMPLETED',
      '/v1/notifications/webhooks-events?start_id=WH-2&page_size=1',
    ]);
  });

  it('ends when a page names itself as the next one', async () => {
    const links = [{ rel: 'next', href: '/v1/notifications/webhooks-events?start_id=WH-1', method: 'GET' }];
    provider.script(json(200, { events: [event('WH-1')], links }));
    expect(await pages()).toHaveLength(2);
  });

  it('ends when pages name each other in a circle', async () => {
    provider.script((response, request) => {
      const id = request.path.endsWith('WH-2') ? 'WH-3' : 'WH-2';
      const links = [{ rel: 'next', href: `/events?start_id=${id}`, method: 'GET' }];
      if (provider.requests.length > 10) response.destroy();
      else json(200, { events: [event(id)], links })(response, request);
    });
    expect(await pages()).toHaveLength(3);
  });

  it('asks for no page that nobody reads, and for none once its caller has left', async () => {
    const links = [{ rel: 'next', href: '/events?start_id=WH-2', method: 'GET' }];
    provider.script(json(200, { events: [event('WH-1')], links }));
    const abort = new AbortController();
    const search = provider.client().events.search({}, { signal: abort.signal });
    expect(provider.requests).toHaveLength(0);
    await search.next();
    abort.abort(new Error('the caller left'));
    await expect(search.next()).rejects.toThrow('the caller left');
    expect(provider.requests).toHaveLength(1);
  });

  it('skips an entry that is no event, and counts it', async () => {
    provider.script(json(200, { events: [{ id: 'WH-1', resource: 'none' }, event('WH-2')] }));
    expect(await pages()).toEqual([{ ids: ['WH-2'], unreadable: 1 }]);
  });

  it('refuses bounds that are no instants before anything is sent', async () => {
    await expect(pages({ startTime: 'yesterday' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(provider.requests).toHaveLength(0);
  });

  it.each([
    ['interface', '/v1/notfications/webhooks-events/WH-1'],
    ['paypal-v1', '/v1/notifications/webhooks-events/WH-1'],
  ] as const)('reads and resends one event at the address that %s uses', async (dialect, path) => {
    provider.script(json(200, event('WH-1')), json(202, event('WH-1')));
    const { events } = provider.client({ dialect });
    expect((await events.get('WH-1')).event).toMatchObject({
      id: 'WH-1',
      resourceIds: { captureId: 'CAP-1' },
    });
    await events.resend('WH-1');
    expect(provider.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
      `GET ${path}`,
      `POST ${path}/resend`,
    ]);
  });
});

describe('past events of the service itself', () => {
  const sandbox = forEachTest(() => ConnectedSandbox.start());

  it('are found by payment over several pages, read one by one and sent again', async () => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await client.authorizations.void(authorizationId, { requestId: 'void-1' });
    const search = client.events.search({ transactionId: paymentId, pageSize: 1 });
    const found = (await taken(search)).flatMap(({ events }) => events);
    const types = found.map(({ event: { eventType } }) => eventType);
    expect(types.slice(0, 2)).toEqual(['PAYMENT.AUTHORIZATION.VOIDED', 'PAYMENT.AUTHORIZATION.CREATED']);
    const id = found[0]?.event.id ?? '';
    expect(await client.events.get(id)).toEqual(found[0]);
    expect((await client.events.resend(id)).event.id).toBe(id);
    await expect(client.events.get('WH-NONE')).rejects.toBeInstanceOf(NotFoundError);
  });
});
