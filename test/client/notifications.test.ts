import { beforeAll, describe, expect, it } from 'vitest';
import { createTestSigner } from '#payments-client/testing';
import { forAllTests } from '../helpers/shared.js';
import { WebhookReceiver } from '../sandbox/webhook-receiver.js';
import { ConnectedSandbox } from './connected-sandbox.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const CREATED = 'PAYMENT.AUTHORIZATION.CREATED';

const sandbox = forAllTests(() => ConnectedSandbox.start());

describe.each(['interface', 'paypal-v1'] as const)('webhooks in the dialect %s', (dialect) => {
  it('are changed in address or event types, and found by type', async () => {
    const { webhooks } = sandbox.connect({ dialect });
    const url = `https://shop.example/hooks/${dialect}`;
    const webhook = await webhooks.create({ url, eventTypes: [CREATED] });
    const every = await webhooks.create({ url: `${url}/all`, eventTypes: ['*'] });

    expect(await webhooks.update(webhook.id, { url: `${url}/moved` })).toEqual({
      id: webhook.id,
      url: `${url}/moved`,
      eventTypes: [CREATED],
    });
    const eventTypes = ['PAYMENT.SALE.REFUNDED', 'PAYMENT.CAPTURE.REFUNDED'];
    expect(await webhooks.update(webhook.id, { eventTypes })).toMatchObject({
      url: `${url}/moved`,
      eventTypes,
    });
    const idsOf = async (type: string) => (await webhooks.subscribedTo(type)).map(({ id }) => id);
    expect(await idsOf(CREATED)).toEqual([every.id]);
    expect((await idsOf('PAYMENT.SALE.REFUNDED')).toSorted()).toEqual([webhook.id, every.id].toSorted());
    await Promise.all([webhook, every].map(({ id }) => webhooks.delete(id)));
  });

  it('list the existing event types and those that they receive', async () => {
    const { webhooks } = sandbox.connect({ dialect });
    const available = await webhooks.availableEventTypes();
    expect(available).toContainEqual({ name: CREATED, description: expect.any(String) });
    const { id } = await webhooks.create({ url: 'https://shop.example/hooks', eventTypes: [CREATED] });
    expect((await webhooks.eventTypes(id)).map(({ name }) => name)).toEqual([CREATED]);
    await webhooks.update(id, { eventTypes: ['*'] });
    expect(await webhooks.eventTypes(id)).toEqual(available);
    await webhooks.delete(id);
    await expect(webhooks.eventTypes(id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('receive deliveries that the provider itself distinguishes from forged ones', async () => {
    const receiver = await WebhookReceiver.start();
    const client = sandbox.connect({ dialect });
    const { id: webhookId } = await client.webhooks.create({ url: receiver.url, eventTypes: ['*'] });
    const { authorizationId } = await sandbox.authorize(client);
    const deliveries = () => receiver.deliveries.filter(({ event }) => event.resource.id === authorizationId);
    await expect.poll(() => deliveries().length).toBe(1);
    const [{ headers, raw: rawBody, event }] = deliveries() as [(typeof receiver.deliveries)[number]];
    const delivery = { headers, rawBody, webhookId };
    await expect(client.webhooks.verifySignature(delivery)).resolves.toMatchObject({ outcome: 'genuine' });
    const forged = { outcome: 'forged', reason: 'signature_mismatch' };
    const changed = Buffer.from(rawBody.toString('utf8').replace('authorized', 'captured--'));
    await expect(client.webhooks.verifySignature({ ...delivery, rawBody: changed })).resolves.toEqual(forged);
    await expect(client.webhooks.verifySignature({ ...delivery, webhookId: 'WH-0' })).resolves.toEqual(
      forged,
    );

    await client.events.resend(event.id, { webhookIds: [webhookId] });
    await expect.poll(() => deliveries().length).toBe(2);
    await expect(client.events.resend(event.id, { webhookIds: ['WH-0'] })).rejects.toMatchObject({
      kind: expect.stringMatching(/rejected|not_found/),
    });
    await client.webhooks.delete(webhookId);
    await receiver.stop();
  });
});

describe('the provider, asked about a signature,', () => {
  const webhookId = 'WH1';
  const provider = forAllTests(startScriptedProvider);
  beforeAll(() => {
    provider.script(json(200, { verification_status: 'SUCCESS' }));
  });

  async function deliveryOf(rawBody: Uint8Array) {
    const signer = await createTestSigner({ certificateAddress: 'https://api.example/cert.pem', webhookId });
    return { headers: signer.sign(rawBody), rawBody, webhookId };
  }

  it('gets the bytes exactly as they came', async () => {
    const text = '{ "id" : "WH-1",\n "resource": {"total":"1.00","name":"\\u00e9 é"} }';
    const { webhooks } = provider.client();
    await webhooks.verifySignature(await deliveryOf(Buffer.from(text)));
    const { body } = provider.requests.at(-1)!;
    expect(body.endsWith(`,"webhook_event":${text}}`)).toBe(true);
    expect(JSON.parse(body)).toMatchObject({
      auth_algo: 'SHA256withRSA',
      cert_url: 'https://api.example/cert.pem',
      webhook_id: webhookId,
      webhook_event: { id: 'WH-1' },
    });
  });

  it.each([
    ['more than one document', '{},"webhook_id":"WH2","x":{}'],
    ['no object', '"event"'],
    ['no JSON', 'event'],
    ['no text', Buffer.from([0x7b, 0xff, 0x7d])],
    ['nothing', ''],
  ])('is not asked about %s: that is no event', async (_, body) => {
    const before = provider.requests.length;
    const { webhooks } = provider.client();
    await expect(webhooks.verifySignature(await deliveryOf(Buffer.from(body)))).resolves.toEqual({
      outcome: 'forged',
      reason: 'signature_mismatch',
    });
    const unsigned = { headers: {}, rawBody: Buffer.from('{}'), webhookId };
    await expect(webhooks.verifySignature(unsigned)).resolves.toMatchObject({ reason: 'headers_missing' });
    expect(provider.requests).toHaveLength(before);
  });

  it('is believed only when it answers one of its two words', async () => {
    provider.script(json(200, { verification_status: 'MAYBE' }));
    const { webhooks } = provider.client({ retry: { maxAttempts: 1 } });
    await expect(webhooks.verifySignature(await deliveryOf(Buffer.from('{}')))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await expect(
      webhooks.verifySignature({ ...(await deliveryOf(Buffer.from('{}'))), webhookId: '' }),
    ).rejects.toMatchObject({ kind: 'rejected', issues: [{ field: 'webhookId' }] });
  });
});
