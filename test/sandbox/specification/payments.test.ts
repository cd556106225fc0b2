import { afterAll, beforeAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { describeSection } from './describe-section.js';
import {
  absoluteUrl,
  at,
  currencyCode,
  decimal,
  expectRefusalOf,
  having,
  identifier,
  link,
  relsOf,
  someText,
  timestamp,
} from './formats.js';

const PAYMENTS = '/v1/payments/payment';
const ORDER = {
  intent: 'authorize',
  payer: { payment_method: 'wallet' },
  redirect_urls: { return_url: 'https://shop.example/return', cancel_url: 'https://shop.example/cancel' },
  transactions: [
    {
      amount: { total: '30.11', currency: 'USD', details: { subtotal: '30.11' } },
      payee: { email: 'seller@shop.example' },
      description: 'Two hats',
    },
  ],
};

let created: Answer;
/** The same order, approved as section 3 has it: at once. */
let approved: Answer['body'];
let authorization: Answer['body'];

const sandbox = forAllTests(() => SandboxFixture.start());

beforeAll(async () => {
  created = await create();
  await sandbox.configure({ approval: 'immediate' });
  approved = (await create()).body;
  await sandbox.configure({ approval: 'payer' });
  const { id } = approved.transactions[0].related_resources[0].authorization;
  authorization = await sandbox.authorization(id);
});
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const create = (body: object = ORDER) => sandbox.call('POST', PAYMENTS, body);

/** Carried as sent, on the answer to the call and on a later look; another type is refused by name. */
async function expectCarried(path: string, wrong: unknown = { not: 'this' }): Promise<void> {
  expect(created.status).toBe(201);
  const look = await sandbox.call('GET', `${PAYMENTS}/${created.body.id}`);
  for (const body of [created.body, look.body]) expect(at(body, path)).toEqual(at(ORDER, path));
  expectRefusalOf(path, await create(having(ORDER, path, wrong)));
}

describeSection('2.1', {
  intent: async () => {
    await expectCarried('intent', 'steal');
    expect((await create({ ...ORDER, intent: 'sale' })).body).toMatchObject({ intent: 'sale' });
  },
  'redirect_urls.return_url': async () => {
    await expectCarried('redirect_urls.return_url', 'no address');
    const page = await fetch(
      created.body.links.find(({ rel }: { rel: string }) => rel === 'approval_url').href,
    );
    expect(page.status).toBe(200);
    const { body } = await sandbox.approve((await create()).body.id);
    expect(body.redirectUrl).toMatch(/^https:\/\/shop\.example\/return\?.*paymentId=/);
  },
  'redirect_urls.cancel_url': async () => {
    await expectCarried('redirect_urls.cancel_url', 'no address');
    const { id } = (await create()).body;
    const { body } = await sandbox.request('POST', `/admin/payments/${id}/cancel`);
    expect(body.redirectUrl).toMatch(/^https:\/\/shop\.example\/cancel/);
  },
  'payer.payment_method': () => expectCarried('payer.payment_method'),
  transactions: async () => {
    expect(created.body.transactions).toHaveLength(1);
    expectRefusalOf('transactions', await create({ ...ORDER, transactions: {} }));
    expectRefusalOf('transactions', await create({ ...ORDER, transactions: [] }));
  },
  'transactions[].amount.total': () => expectCarried('transactions[].amount.total', 30.115),
  'transactions[].amount.currency': () => expectCarried('transactions[].amount.currency', 'US dollars'),
  'transactions[].amount.details.subtotal': async () => {
    await expectCarried('transactions[].amount.details.subtotal', 'thirty');
    expect(at(authorization, 'amount.details.subtotal')).toBe('30.11');
  },
  'transactions[].payee.email': async () => {
    await expectCarried('transactions[].payee.email', 'nobody');
    expect((await create(having(ORDER, 'transactions[].payee', undefined))).status).toBe(201);
  },
  'transactions[].description': () => expectCarried('transactions[].description'),
});

describeSection('2.2', {
  id: async () => {
    expect(created.body.id).toEqual(identifier);
    expect((await create()).body.id).not.toBe(created.body.id);
    expect((await sandbox.call('GET', `${PAYMENTS}/${created.body.id}`)).body.id).toBe(created.body.id);
  },
  state: async () => {
    expect(approved.state).toBe('approved');
    expect(await sandbox.booksOf(approved.id)).toEqual(['hold 3011']);
  },
  'transactions[].links': () => {
    expect(approved.transactions[0].links.length).toBeGreaterThan(0);
    expect(approved.transactions[0].links).toEqual(approved.transactions[0].links.map(() => link));
  },
});

describeSection('2.3', {
  href: async () => {
    for (const { href } of authorization.links) expect(href).toEqual(absoluteUrl);
    const self = authorization.links.find(({ rel }: { rel: string }) => rel === 'self');
    expect((await sandbox.call('GET', new URL(self.href).pathname)).body).toEqual(authorization);
  },
  rel: async () => {
    expect(relsOf(authorization.links)).toEqual(
      expect.arrayContaining(['self GET', 'capture POST', 'void POST', 'parent_payment GET']),
    );
    const event = { url: 'http://127.0.0.1:9/rels', event_types: [{ name: 'PAYMENT.SALE.DENIED' }] };
    const webhook = (await sandbox.call('POST', '/v1/notifications/webhooks', event)).body;
    expect(relsOf(webhook.links)).toEqual(
      expect.arrayContaining(['SELF GET', 'UPDATE PATCH', 'DELETE DELETE']),
    );
    const [reported] = (await sandbox.call('GET', '/v1/notifications/webhooks-events')).body.events;
    expect(relsOf(reported.links)).toEqual(['self GET', 'resend POST']);
  },
  method: async () => {
    const links = [...created.body.links, ...approved.transactions[0].links, ...authorization.links];
    const methods = new Set(links.map(({ method }) => method));
    expect(['GET', 'POST', 'PATCH', 'DELETE', 'REDIRECT']).toEqual(expect.arrayContaining([...methods]));
  },
});

describeSection('2.4', {
  id: () => expect(authorization.id).toEqual(identifier),
  create_time: () => expect(authorization.create_time).toEqual(timestamp),
  update_time: () => expect(authorization.update_time).toEqual(timestamp),
  state: () => expect(authorization.state).toBe('authorized'),
  'amount.total': () => {
    expect(authorization.amount.total).toEqual(decimal);
    expect(authorization.amount.total).toBe('30.11');
  },
  'amount.currency': () => expect(authorization.amount.currency).toEqual(currencyCode),
  'amount.details.subtotal': () => expect(authorization.amount.details.subtotal).toBe('30.11'),
  parent_payment: () => expect(authorization.parent_payment).toBe(approved.id),
  valid_until: () => {
    expect(authorization.valid_until).toEqual(timestamp);
    expect(Date.parse(authorization.valid_until)).toBeGreaterThan(Date.parse(authorization.create_time));
  },
  links: () => {
    expect(authorization.links).toEqual(authorization.links.map(() => ({ ...link, rel: someText })));
    const path = `${sandbox.url}/v1/payments/authorization/${authorization.id}`;
    expect(authorization.links).toEqual(
      expect.arrayContaining([
        { rel: 'self', method: 'GET', href: path },
        { rel: 'capture', method: 'POST', href: `${path}/capture` },
        { rel: 'void', method: 'POST', href: `${path}/void` },
        { rel: 'parent_payment', method: 'GET', href: `${sandbox.url}${PAYMENTS}/${approved.id}` },
      ]),
    );
  },
});
