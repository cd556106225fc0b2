import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { saveProviderWebhook } from '#database/events';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, useTemporal, runIdOf, newsOf, signalsOf } from './api-fixture.js';
import { deliver, event, settled } from './deliveries.js';

interface Entry {
  readonly id: string;
  readonly state: string;
  readonly waitingSince: string | null;
  readonly receivedAt: string;
}

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

const list = async (query: string) => {
  const { status, body } = await api.call('GET', `/v1/webhook-events?${query}`);
  expect(status).toBe(200);
  return body as { data: readonly Entry[]; nextCursor: string | null };
};
const show = async (id: string) => (await api.call('GET', `/v1/webhook-events/${id}`)).body;
const resend = async (id: string) => await api.call('POST', `/v1/webhook-events/${id}/resend`);

/** An event of nobody's that waits parked. */
async function parkedEvent(type = 'PAYMENT.AUTHORIZATION.VOIDED'): Promise<string> {
  const body = event({ id: `AUTH-${randomUUID()}` }, { trigger_event: type });
  await deliver(api, body);
  await settled(api, body.id, 'parked');
  return body.id;
}

/** An event that its payment's run was told of. */
async function appliedEvent(): Promise<{ readonly id: string; readonly paymentId: string }> {
  const state = authorizedState();
  const paymentId = await api.paymentWith(state);
  const body = event({ id: state.authorization!.authorizationId });
  await deliver(api, body);
  await settled(api, body.id, 'applied');
  return { id: body.id, paymentId };
}

describe('the list of webhook events', () => {
  test('is filtered by status, payment, type and time, newest first', async () => {
    const parked = await parkedEvent('A.TYPE.OF.ITS.OWN');
    const applied = await appliedEvent();
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await ids(`payment=${applied.paymentId}`)).toEqual([applied.id]);
    expect(await ids(`subject=${applied.paymentId}`)).toEqual([applied.id]);
    expect(await ids(`subject=sub_${'0'.repeat(36)}`)).toEqual([]);
    expect(await ids('type=A.TYPE.OF.ITS.OWN')).toEqual([parked]);
    expect(await ids('type=A.TYPE.OF.ITS.OWN&state=applied')).toEqual([]);
    expect((await ids('limit=2')).slice(0, 2)).toEqual([applied.id, parked]);
    const [{ receivedAt } = { receivedAt: '' }] = (await list(`payment=${applied.paymentId}`)).data;
    const later = new Date(Date.parse(receivedAt) + 1).toISOString();
    expect(await ids(`payment=${applied.paymentId}&since=${receivedAt}`)).toEqual([applied.id]);
    expect(await ids(`payment=${applied.paymentId}&since=${later}`)).toEqual([]);
  });

  test('shows since when an event waits, without a limit', async () => {
    const id = await parkedEvent();
    const entry = (await list('state=parked')).data.find((each) => each.id === id);
    expect(entry).toMatchObject({ state: 'parked', waitingSince: entry?.receivedAt });
    const { body } = await api.call('GET', '/v1/webhook-inbox');
    expect(body['waiting']).toContainEqual({
      state: 'parked',
      count: expect.any(Number),
      oldestReceivedAt: expect.any(String),
    });
  });

  test('comes page by page, each event once, while new ones arrive', async () => {
    const type = `PAGED.${randomUUID()}`;
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await parkedEvent(type));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`type=${type}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
      await parkedEvent(type);
    }
    expect(seen).toEqual(ids);
  });

  test.each([
    ['state=lost', 'state'],
    ['payment=pay_1', 'payment'],
    ['subject=pay_1', 'subject'],
    ['since=yesterday', 'since'],
    ['limit=0', 'limit'],
    ['limit=1000', 'limit'],
    ['cursor=x', 'cursor'],
    ['statuses=parked', 'statuses'],
  ])('with %s is refused with 422, which names it', async (query, parameter) => {
    const { status, body } = await api.call('GET', `/v1/webhook-events?${query}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body['errors'])).toContain(parameter);
  });
});

describe('a webhook event', () => {
  test('shows its timeline, each state with its time, and its payload without personal data', async () => {
    const state = authorizedState();
    const paymentId = await api.paymentWith(state);
    const body = event({
      id: state.authorization!.authorizationId,
      payer: { payer_info: { email: 'payer@example.com' } },
      note: 'call payer@example.com',
    });
    await deliver(api, body);
    await settled(api, body.id, 'applied');
    const shown = await show(body.id);
    expect(shown).toMatchObject({ id: body.id, paymentId, source: 'delivery', resends: [] });
    const history = shown['history'] as { state: string; at: string }[];
    expect(history.map(({ state }) => state)).toEqual(['received', 'dispatching', 'applied']);
    const times = history.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(JSON.stringify(shown)).not.toContain('payer@example');
  });

  test('of another application is not found, nor is one with an impossible id', async () => {
    const id = await parkedEvent();
    const other = { apiKey: ApiFixture.bookshopKey };
    expect((await api.call('GET', `/v1/webhook-events/${id}`, other)).status).toBe(404);
    expect((await api.call('POST', `/v1/webhook-events/${id}/resend`, other)).status).toBe(404);
    expect((await api.call('GET', '/v1/webhook-events', other)).body['data']).toEqual([]);
    expect((await api.call('GET', '/v1/webhook-events/a%00b')).status).toBe(404);
    expect((await api.call('GET', '/v1/webhook-events', { apiKey: null })).status).toBe(401);
  });
});

describe('case 27: an event that is sent again', () => {
  test('after it was applied, ten times at once, is recorded and signals no run', async () => {
    const { id, paymentId } = await appliedEvent();
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const shown = await show(id);
    expect(shown['state']).toBe('applied');
    expect(shown['resends']).toHaveLength(10);
    expect(shown['resends']).toContainEqual({
      requestedBy: 'key:shop',
      at: expect.any(String),
      stateBefore: 'applied',
    });
    expect(await signalsOf(temporal, paymentId)).toEqual([newsOf(id)]);
  });

  test('more often than the hourly limit is answered 429 and not recorded', async () => {
    const { id } = await appliedEvent();
    const answers = await Promise.all(Array.from({ length: 21 }, () => resend(id)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(refused[0]?.body).toMatchObject({ type: 'urn:payments:problem:too-many-requests' });
    expect((await show(id))['resends']).toHaveLength(20);
  });

  test('after it was ignored is dispatched again', async () => {
    const state = authorizedState();
    const paymentId = await api.paymentWith(state);
    await temporal.workflow.getHandle(runIdOf(paymentId)).terminate();
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(api, body);
    await settled(api, body.id, 'ignored');
    expect((await resend(body.id)).status).toBe(202);
    await settled(api, body.id, 'ignored');
    const history = (await show(body.id))['history'] as { state: string; detail: string | null }[];
    expect(history.map(({ detail }) => detail)).toContain('sent again by key:shop');
  });
});

test('the inbox names a webhook that the provider has no room for', async () => {
  expect((await api.call('GET', '/v1/webhook-inbox')).body['webhook']).toBeNull();
  const problem = 'The account has no room for another webhook.';
  const owner = { environment: 'sandbox', application: 'shop' };
  await saveProviderWebhook(api.db, { ...owner, webhookId: null, url: 'https://x.example', problem });
  expect((await api.call('GET', '/v1/webhook-inbox')).body['webhook']).toMatchObject({ id: null, problem });
});

test.each([
  ['GET', '/v1/webhook-events?type=%00', 422],
  ['GET', '/v1/webhook-events/WH-%00', 404],
  ['DELETE', '/v1/codec-sessions/%00', 400],
])('NUL in an address is the caller’s mistake: %s %s', async (method, path, status) => {
  expect((await api.call(method, path)).status).toBe(status);
});
