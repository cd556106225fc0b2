import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSameAmount } from '#payments-client';
import { parseWebhookEvent, verifyWebhookSignature } from '#payments-client/webhooks';
import { forAllTests } from '../helpers/shared.js';
import { WebhookReceiver } from '../sandbox/webhook-receiver.js';
import { captureOf, ConnectedSandbox, key, order, usd } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());

describe.each(['interface', 'paypal-v1'] as const)('a payment in the dialect %s', (dialect) => {
  it('is created, approved by its payer, executed, captured in parts', async () => {
    const client = sandbox.connect({ dialect });
    const request = order();
    const created = await client.payments.create(request, key());
    expect(created).toMatchObject({ state: 'created', intent: 'authorize', payerId: undefined });
    expect(created.approvalUrl).toMatch(/^http/);

    await sandbox.service.approve(created.id);
    const approved = await client.payments.get(created.id);
    expect(approved).toMatchObject({ state: 'created', payerStatus: 'VERIFIED' });

    const executed = await client.payments.execute(created.id, { payerId: approved.payerId ?? '' }, key());
    expect(executed.state).toBe('approved');
    const [transaction] = executed.transactions;
    expect(transaction).toMatchObject({
      custom: 'custom',
      invoiceNumber: request.transactions[0]?.invoiceNumber,
      authorizations: [{ state: 'authorized', paymentId: created.id, validUntil: expect.any(String) }],
    });
    const authorizationId = transaction?.authorizationId ?? '';

    const first = await client.authorizations.capture(
      authorizationId,
      captureOf('4.00', false, 'first'),
      key(),
    );
    expect(first).toMatchObject({
      state: 'completed',
      invoiceNumber: 'first',
      paymentId: created.id,
      authorizationId,
    });
    expect((await client.authorizations.get(authorizationId)).state).toBe('partially_captured');
    await client.authorizations.capture(authorizationId, captureOf('6.60'), key());
    expect(isSameAmount((await client.captures.get(first.id)).amount, usd('4'))).toBe(true);
    expect((await client.authorizations.get(authorizationId)).state).toBe('captured');
    expect(await sandbox.service.booksOf(created.id)).toEqual(['hold 1060', 'capture 400', 'capture 660']);
  });
});

describe('a payment', () => {
  it('is released by a void', async () => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    const voided = await client.authorizations.void(authorizationId, key());
    expect(voided).toMatchObject({ id: authorizationId, state: 'voided', validUntil: undefined, paymentId });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060', 'release 1060']);
    await expect(client.authorizations.capture(authorizationId, captureOf('1'), key())).rejects.toMatchObject(
      {
        kind: 'rejected',
        code: 'AUTHORIZATION_VOIDED',
        debugId: expect.any(String),
      },
    );
  });

  it('that is approved at once answers with its authorization (section 3)', async () => {
    const clientId = randomUUID();
    await sandbox.service.request('PUT', `/admin/applications/${clientId}`, {
      clientSecret: 's3cret',
      approval: 'immediate',
    });
    const client = sandbox.connect({ clientId, clientSecret: 's3cret' });
    const created = await client.payments.create(order(), key());
    expect(created).toMatchObject({
      state: 'approved',
      transactions: [{ authorizationId: expect.any(String) }],
    });
    expect(await sandbox.service.booksOf(created.id)).toEqual(['hold 1060']);
  });

  it.each([
    ['1060', 'JPY', 1060],
    ['10.605', 'KWD', 10605],
    ['10.6', 'EUR', 1060],
  ])('of %s %s holds exactly that amount', async (value, currency, minorUnits) => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client, { value, currency });
    expect(await sandbox.service.booksOf(paymentId)).toEqual([`hold ${minorUnits}`]);
    const { amount } = await client.authorizations.get(authorizationId);
    expect(isSameAmount(amount, { value, currency })).toBe(true);
  });

  it('is not captured beyond what was authorized', async () => {
    const client = sandbox.connect();
    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await expect(
      client.authorizations.capture(authorizationId, captureOf('10.61'), key()),
    ).rejects.toMatchObject({
      kind: 'rejected',
    });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(['hold 1060']);
  });

  it('is found among all pages by our own reference when its creation’s reply was lost', async () => {
    const client = sandbox.connect();
    const request = order();
    await sandbox.service.switchOnFault({ operation: 'payment.create', kind: 'drop_reply' });
    await expect(client.payments.create(request, key())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    for (let n = 0; n < 3; n += 1) await client.payments.create(order(), key());
    const found: string[] = [];
    let startId: string | undefined;
    do {
      const page = await client.payments.list({ count: 2, startId });
      for (const { id, transactions } of page.payments) {
        if (transactions[0]?.invoiceNumber === request.transactions[0]?.invoiceNumber) found.push(id);
      }
      startId = page.nextId;
    } while (startId !== undefined);
    expect(found).toHaveLength(1);
  });
});

describe('wrong credentials', () => {
  it('are reported as wrong credentials', async () => {
    const client = sandbox.connect({ clientSecret: 'wrong' });
    await expect(client.payments.get('PAY-1')).rejects.toMatchObject({ kind: 'unauthorized', status: 401 });
  });
});

describe('a webhook', () => {
  const receiver = forAllTests(() => WebhookReceiver.start());

  it('is registered, delivers signed events that verify offline, and is removed', async () => {
    const client = sandbox.connect();
    const webhook = await client.webhooks.create({ url: receiver.url, eventTypes: ['*'] });
    expect(await client.webhooks.list()).toContainEqual(webhook);
    expect(await client.webhooks.get(webhook.id)).toEqual(webhook);

    const { paymentId, authorizationId } = await sandbox.authorize(client);
    await expect.poll(() => receiver.typesOf(authorizationId)).toEqual(['PAYMENT.AUTHORIZATION.CREATED']);
    const { headers, raw } = receiver.deliveries.find(({ event }) => event.resource.id === authorizationId)!;
    const delivery = {
      headers,
      rawBody: raw,
      webhookId: webhook.id,
      trustedCertificateOrigins: [sandbox.service.url],
    };
    await expect(verifyWebhookSignature(delivery)).resolves.toMatchObject({ outcome: 'genuine' });
    const changed = Buffer.from(raw.toString('utf8').replace('authorized', 'captured--'));
    await expect(verifyWebhookSignature({ ...delivery, rawBody: changed })).resolves.toMatchObject({
      outcome: 'forged',
      reason: 'signature_mismatch',
    });
    expect(parseWebhookEvent(raw)).toMatchObject({
      eventType: 'PAYMENT.AUTHORIZATION.CREATED',
      resourceType: 'authorization',
      resourceIds: { authorizationId, paymentId },
    });

    await client.webhooks.delete(webhook.id);
    await expect(client.webhooks.get(webhook.id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
