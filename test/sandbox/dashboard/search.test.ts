import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { until } from '../../helpers/until.js';
import { itemFor, Payouts } from '../payouts/payout-helpers.js';
import { planBody, SOON, Subscriptions } from '../subscriptions/subscription-calls.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

const sandbox = forAllTests(() => SandboxFixture.start());
const receiver = forAllTests(() => WebhookReceiver.start());

/** By what it is called, and the kind that a search for it must find, with its address. */
let ids: Readonly<Record<string, string>>;
const one = async (query: string) => {
  const [row] = await until(
    () => sandbox.sql(query),
    (rows) => rows.length > 0,
    query,
  );
  return String(Object.values(row!)[0]);
};

beforeAll(async () => {
  await sandbox.call('POST', '/v1/notifications/webhooks', {
    url: receiver.url,
    event_types: [{ name: '*' }],
  });
  const transaction = { invoice_number: 'INV-2026-000117', custom: 'basket 7 of anna@person.example' };
  const { paymentId, authorizationId } = await sandbox.authorized({ transaction });
  const { body: capture } = await sandbox.capture(
    authorizationId,
    '40.00',
    { invoice_number: 'INV-2026-000118' },
    { 'paypal-request-id': 'request-of-a-capture' },
  );
  const refund = { amount: { total: '1.00', currency: 'USD' }, custom: '100%_of\\it' };
  const { body: refunded } = await sandbox.call('POST', `/v1/payments/capture/${capture.id}/refund`, refund);
  await sandbox.switchOnFault({ kind: 'drop_reply', clientId: 'nobody' });
  const agreement = await new Subscriptions(sandbox).agreement(planBody(), SOON);
  const item = itemFor('bert@person.example', { sender_item_id: 'item-of-bert' });
  const { body: batch } = await new Payouts(sandbox).create([item]);
  ids = {
    payment: paymentId,
    authorization: authorizationId,
    capture: capture.id,
    refund: refunded.id,
    agreement,
    sale: await one('SELECT id FROM sales WHERE billing_agreement_id IS NOT NULL'),
    plan: await one('SELECT id FROM billing_plans'),
    payout: batch.batch_header.payout_batch_id,
    'payout item': await one('SELECT id FROM payout_items'),
    event: await one("SELECT id FROM events WHERE event_type = 'PAYMENT.CAPTURE.COMPLETED'"),
    webhook: await one('SELECT id FROM webhooks'),
    call: await one("SELECT id FROM calls WHERE operation = 'authorization.capture'"),
    fault: await one('SELECT id FROM faults'),
    application: 'shop',
    account: await one("SELECT account_id FROM applications WHERE client_id = 'shop'"),
    'invoice number': 'INV-2026-000117',
    'part of an invoice number': '000118',
    custom: 'basket 7',
    'percent sign, taken as such': '100%_of\\it',
    'request id': 'request-of-a-capture',
    'transmission id': await one(
      'SELECT transmission_id FROM delivery_attempts WHERE transmission_id IS NOT NULL',
    ),
    'sender’s reference': 'item-of-bert',
  };
});

/** Kinds and addresses of the rows that a search shows. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await sandbox.request(
    'GET',
    `/dashboard/transactions?${new URLSearchParams(query).toString()}`,
  );
  expect(status).toBe(200);
  const rows = (body as string).matchAll(/data-label="Kind">\s*<div>([^<]*)<\/div>[^]*?href="([^"]*)"/g);
  return [...rows].map(([, kind, address]) => `${kind} ${address}`);
}

function movementsOn(page: string): string[] {
  const [, money = ''] = page.split('<h2>Money</h2>');
  return [...(money.split('<h2>')[0] ?? '').matchAll(/data-label="Kind">\s*<div>([^<]*)</g)].map(
    ([, kind]) => kind!,
  );
}

describe('the search of the dashboards', () => {
  it.each([
    ['payment', 'payment'],
    ['authorization', 'authorization'],
    ['capture', 'capture'],
    ['refund', 'refund'],
    ['agreement', 'agreement'],
    ['sale', 'sale'],
    ['plan', 'plan'],
    ['payout', 'payout'],
    ['payout item', 'payout item'],
    ['event', 'event'],
    ['webhook', 'webhook'],
    ['call', 'call'],
    ['fault', 'fault'],
    ['application', 'application'],
    ['account', 'account'],
    ['invoice number', 'payment'],
    ['part of an invoice number', 'capture'],
    ['custom', 'payment'],
    ['percent sign, taken as such', 'refund'],
    ['request id', 'capture'],
    ['request id', 'call'],
    ['transmission id', 'event'],
    ['sender’s reference', 'payout item'],
  ])('finds by %s a %s, and the address of its page answers', async (name, kind) => {
    const rows = await found({ text: ids[name]! });
    const row = rows.find((text) => text.startsWith(`${kind} /`));
    expect(row, rows.join(', ')).toBeDefined();
    if (ids[kind] === ids[name]) expect(row).toContain(kind === 'fault' ? 'faults' : ids[kind]);
    expect((await sandbox.request('GET', row!.slice(kind.length + 1))).status).toBe(200);
  });

  it('finds with a payment what belongs to it, and nothing by a part of an id or a wildcard', async () => {
    const kinds = (await found({ text: ids['payment']! })).map((row) => row.split(' ', 1)[0]);
    expect(kinds).toEqual(['refund', 'capture', 'authorization', 'payment']);
    for (const text of [ids['payment']!.slice(0, 20), 'INV%2026', 'INV_2026', "' OR 1=1 --"])
      expect(await found({ text })).toEqual([]);
  });

  it.each([
    ['payment', 'refund'],
    ['capture', 'refund'],
    ['agreement', 'sale'],
    ['sale', 'sale'],
    ['payout', 'payout'],
    ['payout item', 'payout'],
  ])('leads from a %s to its movement of kind %s', async (name, movement) => {
    const page = () => sandbox.request('GET', `/dashboard/transactions/${ids[name]!}`);
    const { body } = await until(page, (seen) => movementsOn(seen.body).includes(movement), movement);
    expect(movementsOn(body)).toContain(movement);
  });

  it('narrows by kind, application, account, environment and days', async () => {
    expect(await found({ kind: 'refund' })).toHaveLength(1);
    expect(await found({ clientId: 'shop', accountId: ids['account']!, environment: 'sandbox' })).not.toEqual(
      [],
    );
    for (const none of [{ clientId: 'x' }, { accountId: 'x' }, { environment: 'live' }, { to: '2020-01-01' }])
      expect(await found(none)).toEqual([]);
  });

  it('shows no e-mail address that a reference contains', async () => {
    const { body } = await sandbox.request('GET', '/dashboard/transactions');
    expect(body).toContain('basket 7 of [e-mail]');
    expect(body).not.toContain('anna@person.example');
  });

  it('names at its field what is wrong, and keeps the rest of the form', async () => {
    const { status, body } = await sandbox.request(
      'GET',
      '/dashboard/transactions?from=soon&kind=whim&text=kept',
    );
    expect(status).toBe(400);
    expect(body).toMatch(/name="from"[^>]*aria-describedby="filter-from-issue" aria-invalid="true"/);
    expect(body).toMatch(/id="filter-from-issue">Must be like/);
    expect(body).toContain('value="kept"');
    expect(body).toMatch(/<option value="whim" selected>/);
  });

  it('reaches each row once, page by page, and comes back to the newest', async () => {
    const made: string[] = [];
    for (let at = 0; at < 70; at += 1) made.push((await sandbox.createPayment()).body.id);
    const seen: string[] = [];
    let path: string | undefined = '/dashboard/transactions?kind=payment';
    let last = '';
    while (path !== undefined) {
      last = (await sandbox.request('GET', path)).body;
      seen.push(...[...last.matchAll(/\/dashboard\/transactions\/(PAY-\w+)"/g)].map(([, id]) => id!));
      path = /rel="next" href="([^"]*)"/.exec(last)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual([...new Set(seen)]);
    expect(new Set(seen)).toEqual(new Set([...made, ids['payment']]));
    const newer = /rel="prev" href="([^"]*)"/.exec(last)![1]!.replaceAll('&amp;', '&');
    expect((await sandbox.request('GET', newer)).body).toContain(made.at(-1));
  });
});
