import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '#tools/project.js';
import { createDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { InstalledPackages } from './installed-packages.js';

const [payment = '', webhook = ''] = examplesIn('libs/payments-client/README.md');
const [inProcess = ''] = examplesIn('apps/sandbox/README.md');
const [order = '', notification = ''] = examplesIn('libs/engine-client/README.md');
const modules = {
  'payment.mts': payment,
  'webhook.mts': webhook,
  'in-process.mts': inProcess,
  'order.mts': order,
  'notification.mts': notification,
  'forged.mts': notification.replace('now, body)', "now, 'another body')"),
  // Types that are there refuse what is wrong.
  'wrong.mts': `${payment.split('\n')[0]}
// @ts-expect-error: a client without an address
new PaymentsClient({ clientId: 'shop', clientSecret: '' });
// @ts-expect-error: nothing behind the doors
import '@payment-lifecycle-engine/payments-client/dist/money.js';
`,
  'wrong-calls.mts': `
import { createEngineClient, type Notification, type Schema } from '@payment-lifecycle-engine/engine-client';
const engine = createEngineClient({ baseUrl: '', apiKey: '' });
const header = { 'Idempotency-Key': 'key' };
const params = { path: { id: 'pay_1' }, header };
// What the document allows: a field with a default may be absent, several states may be asked for.
const url = 'https://shop.example/';
await engine.POST('/v1/notification-endpoints', { params: { header }, body: { url } });
await engine.GET('/v1/payments', { params: { query: { state: ['authorized', 'captured'] } } });
// @ts-expect-error: a POST without its Idempotency-Key
await engine.POST('/v1/payments/{id}/void', { params: { path: { id: 'pay_1' } } });
// @ts-expect-error: an address that is not there
await engine.GET('/v1/payment');
// @ts-expect-error: an amount is money, not a number
await engine.POST('/v1/payments/{id}/captures', { params, body: { amount: 10 } });
// @ts-expect-error: a state that is not there
const state: Schema<'Payment'>['state'] = 'paid';
export function read(told: Notification): string {
  // @ts-expect-error: a type that is not there
  if (told.type === 'payment.paid') return state;
  if (told.type === 'refund.completed') return told.data.paymentId;
  // @ts-expect-error: a payment is no refund
  return told.type === 'payment.captured' ? told.data.paymentId : '';
}
`,
};

const packages = forAllTests(
  () => InstalledPackages.install(),
  (it) => it.remove(),
);
beforeAll(() => {
  for (const [file, text] of Object.entries(modules)) writeFileSync(join(packages.folder, file), text);
  cpSync(join(projectRoot, 'examples/order-service'), join(packages.folder, 'order-service'), {
    recursive: true,
  });
});

describe('from a folder with nothing but the packed packages', () => {
  it('the examples of their READMEs and the example shop have correct types', async () => {
    await packages.checkTypes([...Object.keys(modules), 'order-service/shop.ts']);
  });

  it('the client gets a payment authorized by the sandbox that one command has started, and reads it back', async () => {
    const { origin, clientId, clientSecret } = await packages.startSandbox();
    const env = { PAYMENTS_URL: origin, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    expect(await packages.run('payment.mts', env)).toBe('approved authorized 10.60 USD\n');
    expect((await fetch(`${origin}/dashboard`)).status).toBe(200);
  });

  it('a delivery that the test signer has signed is authentic', async () => {
    expect(await packages.run('webhook.mts')).toBe('genuine WH-EVENT-1\n');
  });

  it('the engine’s client sends what the example says, with the API key and the key of the call', async () => {
    const asked = await engineStandIn();
    const env = { ENGINE_URL: asked.url, API_KEY: 'a-key' };
    expect(await packages.run('order.mts', env)).toBe('awaiting_approval https://provider.example/pay\n');
    expect(asked.requests).toEqual([
      {
        line: 'POST /v1/payments',
        authorization: 'Bearer a-key',
        key: 'order-1002',
        body: expect.objectContaining({ orderId: '1002', amount: { value: '100.00', currency: 'USD' } }),
      },
    ]);
  });

  it('the engine’s client shows the code of a problem', async () => {
    const { url } = await engineStandIn({ status: 409, code: 'idempotency_key_reused', detail: 'Another.' });
    const written = await packages.run('order.mts', { ENGINE_URL: url });
    expect(written).toBe('idempotency_key_reused Another.\n');
  });

  it('a notification of the engine is verified and typed, and a forged one is refused', async () => {
    expect(await packages.run('notification.mts')).toBe('1001 100.00\n');
    await expect(packages.run('forged.mts')).rejects.toThrow('WebhookVerificationError');
  });

  it('the sandbox runs inside another program’s process', async () => {
    const database = await createDatabase();
    const written = await packages.run('in-process.mts', { DATABASE_URL: database.url });
    expect(written).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    await database.drop();
  });
});

interface Asked {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: unknown;
}

/** Answers every request with a payment, or with this problem. */
async function engineStandIn(problem?: {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}) {
  const requests: Asked[] = [];
  const payment = { state: 'awaiting_approval', approvalUrl: 'https://provider.example/pay' };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization, 'idempotency-key': key } = request.headers;
    const body = await json(request);
    requests.push({ line: `${request.method} ${request.url}`, authorization, key, body });
    const type = problem ? 'application/problem+json' : 'application/json';
    response.writeHead(problem?.status ?? 201, { 'content-type': type });
    response.end(JSON.stringify(problem ?? payment));
  };
  const server = createServer((request, response) => void answer(request, response));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** The JavaScript of a README, which is to work as it stands. */
function examplesIn(readme: string): string[] {
  const text = readFileSync(join(projectRoot, readme), 'utf8');
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, example = '']) => example);
}
