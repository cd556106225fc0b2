import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repairWebhook } from '#worker/maintenance/repair-webhook.js';
import { startSandbox } from '#sandbox/sandbox.js';
import type { ProviderApplication } from '#configuration';
import { findProviderWebhook } from '#database/events';
import { PaymentsClient } from '#payments-client';
import { type EngineDatabase, openEngineDatabase } from '../database/engine-database.js';
import { createSandboxDatabase } from '../helpers/database.js';
import { until } from '../helpers/until.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';

const publicUrl = 'https://engine.example';
/** With either the address is longer than the provider takes. */
const refusedSecret = 's'.repeat(2_048);
const refused = `${publicUrl}/${refusedSecret}`;
const owner = { environment: 'sandbox', application: 'shop' } as const;

let engine: EngineDatabase;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let dropSandboxDatabase: () => Promise<void>;
let admin: SandboxAdmin;
let client: PaymentsClient;
let application: ProviderApplication;

beforeAll(async () => {
  const database = await createSandboxDatabase();
  dropSandboxDatabase = () => database.drop();
  engine = await openEngineDatabase();
  application = {
    ...owner,
    baseUrl: '',
    clientId: 'client-id-of-the-shop',
    clientSecret: 'client-secret-of-the-shop',
    webhookSecret: 'unguessable-part-of-the-address',
    webhookAuthentication: 'signature',
  };
  const { clientId, clientSecret } = application;
  sandbox = await startSandbox({
    databaseUrl: database.url,
    port: 0,
    defaultApplication: { clientId, clientSecret },
    logLevel: 'silent',
  });
  application = { ...application, baseUrl: sandbox.url };
  admin = new SandboxAdmin(sandbox.url, clientId, clientSecret);
  client = new PaymentsClient({ baseUrl: sandbox.url, clientId, clientSecret });
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
  await engine.close();
  await dropSandboxDatabase();
});
beforeEach(async () => {
  await engine.db.deleteFrom('provider_webhooks').execute();
});
afterEach(async () => {
  for (const { id } of await client.webhooks.list()) await client.webhooks.delete(id);
});

const repair = async (changes: Partial<ProviderApplication> = {}, at = publicUrl, by = client) =>
  await repairWebhook(engine.db, by.webhooks, { ...application, ...changes }, at);
const addressOf = (secret: string, at = publicUrl) => `${at}/webhooks/sandbox/shop/${secret}`;
const current = () => addressOf(application.webhookSecret);
const standing = async () =>
  (await client.webhooks.list()).map(({ url, eventTypes }) => [url, ...eventTypes]);
const recorded = async () => await findProviderWebhook(engine.db, owner);
const others = async (count: number) => {
  const urls = Array.from({ length: count }, (_, n) => `https://somebody-else.example/hooks/${n}`);
  for (const url of urls) await client.webhooks.create({ url, eventTypes: ['PAYMENT.SALE.REFUNDED'] });
  return urls;
};

describe('the engine’s own webhook', () => {
  it('is created where it is missing, and then left alone', async () => {
    expect(await repair()).toBe('created');
    const first = await recorded();
    expect(await repair()).toBe('unchanged');
    expect(await standing()).toEqual([[current(), '*']]);
    expect(await recorded()).toMatchObject({ webhook_id: first?.webhook_id, problem: null });
  });

  it('is created again after somebody deleted it, and its new id is recorded', async () => {
    await repair();
    const first = (await recorded())?.webhook_id;
    await client.webhooks.delete(first ?? '');
    expect(await repair()).toBe('created');
    const [webhook] = await client.webhooks.list();
    expect((await recorded())?.webhook_id).toBe(webhook?.id);
    expect(webhook?.id).not.toBe(first);
  });

  it.each([
    ['the event types', {}, publicUrl, { url: current, eventTypes: ['PAYMENT.SALE.REFUNDED'] }],
    ['the secret', { webhookSecret: 'another-unguessable-part-of-it' }, publicUrl, undefined],
    ['the public address', {}, 'https://moved.example', undefined],
    ['the path of the public address', {}, `${publicUrl}/payments`, undefined],
  ] as const)(
    'keeps its id, over which deliveries are signed, when %s changed',
    async (_what, changes, at, spoil) => {
      await repair();
      const id = (await recorded())?.webhook_id ?? '';
      if (spoil) await client.webhooks.update(id, { url: spoil.url(), eventTypes: [...spoil.eventTypes] });
      expect(await repair(changes, at)).toBe('repaired');
      const { webhookSecret } = { ...application, ...changes };
      expect(await standing()).toEqual([[addressOf(webhookSecret, at), '*']]);
      expect((await recorded())?.webhook_id).toBe(id);
    },
  );

  it('is the only one of the engine: older ones are deleted, those of others stay', async () => {
    const foreign = await others(2);
    for (const secret of ['one-that-was-used-long-ago', 'another-that-was-used-long-ago']) {
      await client.webhooks.create({ url: addressOf(secret), eventTypes: ['*'] });
    }
    expect(await repair()).toBe('repaired');
    const urls = (await client.webhooks.list()).map(({ url }) => url);
    expect(urls.toSorted()).toEqual([current(), ...foreign].toSorted());
  });

  it('is created once when ten workers look after it at once', async () => {
    const repairs = await Promise.all(Array.from({ length: 10 }, () => repair()));
    expect(repairs.filter((result) => result === 'created')).toHaveLength(1);
    expect(await standing()).toEqual([[current(), '*']]);
  });

  it('finds no room beside ten of others: that is recorded, nothing is deleted, and it is tried again', async () => {
    const foreign = await others(10);
    expect(await repair()).toBe('noRoom');
    expect((await standing()).map(([url]) => url)).toEqual(foreign);
    expect(await recorded()).toMatchObject({
      webhook_id: null,
      problem: 'The account has no room for another webhook.',
    });
    const [first] = await client.webhooks.list();
    await client.webhooks.delete(first?.id ?? '');
    expect(await repair()).toBe('created');
    expect(await recorded()).toMatchObject({ problem: null, webhook_id: expect.any(String) });
  });

  it('is recorded as refused where the provider does not take its address, and as working once it does', async () => {
    await expect(repair({}, refused)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await recorded()).toMatchObject({
      webhook_id: null,
      problem: 'The provider refuses our webhook (VALIDATION_ERROR).',
    });
    expect(await repair()).toBe('created');
    expect(await recorded()).toMatchObject({ problem: null, webhook_id: expect.any(String) });
  });

  it('keeps its id and its address where the provider refuses another one, which is recorded', async () => {
    await repair();
    const id = (await recorded())?.webhook_id;
    await expect(repair({ webhookSecret: refusedSecret })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await recorded()).toMatchObject({ webhook_id: id, problem: expect.stringContaining('refuses') });
    expect(await standing()).toEqual([[current(), '*']]);
  });

  it.each([
    { kind: 'drop_reply' },
    { kind: 'late', executeAfterMs: 500, delayMs: 3_000 },
    { kind: 'late', executeAfterMs: 2_000, delayMs: 4_000 },
  ])('is created once when the answer to its creation is lost ($kind $executeAfterMs)', async (fault) => {
    const { clientId } = application;
    await admin.fault({ clientId, operation: 'webhook.create', times: 1, ...fault });
    const { baseUrl, clientSecret } = application;
    const impatient = new PaymentsClient({ baseUrl, clientId, clientSecret, attemptTimeoutMs: 1_000 });
    await expect
      .poll(async () => await repair({}, publicUrl, impatient).catch(() => 'failed'), { interval: 200 })
      .toBe('unchanged');
    await impatient.close();
    await until(
      () => admin.calls(`clientId=${clientId}&inflight=true`),
      ({ length }) => length === 0,
      'the late call',
    );
    expect(await standing()).toEqual([[current(), '*']]);
    const [webhook] = await client.webhooks.list();
    expect(await recorded()).toMatchObject({ webhook_id: webhook?.id, problem: null });
  });

  it.each(['webhook.update', 'webhook.delete'])('survives the loss of an answer to %s', async (operation) => {
    await repair();
    const id = (await recorded())?.webhook_id ?? '';
    await client.webhooks.update(id, { url: addressOf('one-that-was-used-long-ago'), eventTypes: ['*'] });
    await client.webhooks.create({ url: addressOf('another-that-was-used-long-ago'), eventTypes: ['*'] });
    await admin.fault({ clientId: application.clientId, operation, kind: 'drop_reply', times: 1 });
    expect(await repair()).toBe('repaired');
    expect(await standing()).toEqual([[current(), '*']]);
    expect((await recorded())?.webhook_id).toBe(id);
  });
});
