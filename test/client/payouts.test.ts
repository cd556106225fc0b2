import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CreatePayoutRequest,
  type PaymentsClient,
  type PayoutBatch,
  type PayoutBatchStatus,
  type PayoutItem,
  type PayoutItemStatus,
  RejectedError,
} from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { ConnectedSandbox, key, usd } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());
beforeAll(async () => {
  await sandbox.service.configure({ payoutPendingMs: 20, payoutProcessingMs: 20 });
});
afterAll(async () => {
  expect(await sandbox.service.violations()).toEqual([]);
});

const batchOf = (...receivers: string[]): CreatePayoutRequest => ({
  senderBatchId: randomUUID(),
  emailSubject: 'Your share',
  items: receivers.map((receiver, at) => ({
    recipientType: 'EMAIL',
    receiver,
    amount: usd('7.50'),
    senderItemId: `item-${at}`,
  })),
});

async function reaches(client: PaymentsClient, id: string, status: PayoutBatchStatus): Promise<void> {
  await expect.poll(async () => (await client.payouts.get(id)).status).toBe(status);
}

async function itemsOf(client: PaymentsClient, id: string, pageSize?: number): Promise<PayoutItem[]> {
  const items: PayoutItem[] = [];
  for await (const page of client.payouts.pages(id, { pageSize })) items.push(...page.items);
  return items;
}

describe.each(['interface', 'paypal-v1'] as const)('a payout in the dialect %s', (dialect) => {
  it('is created, paid, read page by page, and an unclaimed item is taken back', async () => {
    const client = sandbox.connect({ dialect });
    const request = batchOf('ann@shop.example', 'bob+unclaimed@shop.example', 'cyd+failed@shop.example');
    const created: PayoutBatch = await client.payouts.create(request, key());
    expect(created).toMatchObject({ senderBatchId: request.senderBatchId, amount: undefined });
    await reaches(client, created.id, 'SUCCESS');
    expect(await client.payouts.get(created.id)).toMatchObject({
      id: created.id,
      amount: usd('22.50'),
      completeTime: expect.any(String),
    });
    const items = await itemsOf(client, created.id, 2);
    expect(items.map(({ senderItemId, status }) => [senderItemId, status])).toEqual([
      ['item-0', 'SUCCESS'],
      ['item-1', 'UNCLAIMED'],
      ['item-2', 'FAILED'],
    ]);
    expect(items[2]?.errorCode).toEqual(expect.any(String));

    const { id } = items[1]!;
    expect(await client.payoutItems.get(id)).toMatchObject({ batchId: created.id, status: 'UNCLAIMED' });
    const returned: PayoutItemStatus | undefined = (await client.payoutItems.cancel(id, key())).status;
    expect(returned).toBe('RETURNED');
    await expect(client.payoutItems.cancel(id, key())).rejects.toMatchObject({
      kind: 'rejected',
      code: 'ITEM_ALREADY_CANCELLED',
    });
    await expect(client.payoutItems.cancel(items[0]!.id, key())).rejects.toMatchObject({
      code: 'ITEM_INCORRECT_STATUS',
    });
  });

  it('whose reply is lost is sent again under its key, and made once', async () => {
    const client = sandbox.connect({ dialect });
    const request = batchOf('ann@shop.example');
    await sandbox.service.switchOnFault({ operation: 'payout.create', kind: 'drop_reply' });
    const { id } = await client.payouts.create(request, key());
    const rows = await sandbox.service.sql(
      `SELECT id FROM payout_batches WHERE sender_batch_id = '${request.senderBatchId}'`,
    );
    expect(rows).toEqual([{ id }]);
  });

  it('that was made under another key names the existing batch', async () => {
    const client = sandbox.connect({ dialect });
    const request = batchOf('ann@shop.example');
    const { id } = await client.payouts.create(request, key());
    const error: unknown = await client.payouts.create(request, key()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RejectedError);
    expect(error).toMatchObject({ code: 'USER_BUSINESS_ERROR', existingId: id });
  });
});

describe('a payout', () => {
  it('that the provider denies is reported as denied', async () => {
    const client = sandbox.connect();
    await sandbox.service.switchOnFault({ operation: 'payout.create', kind: 'decline' });
    const { id } = await client.payouts.create(batchOf('ann@shop.example'), key());
    await reaches(client, id, 'DENIED');
    expect((await itemsOf(client, id)).map(({ status }) => status)).toEqual(['FAILED']);
  });

  it('of two pages is read only as far as its reader asks', async () => {
    const paths: string[] = [];
    const client = sandbox.connect({ onCall: ({ path }) => paths.push(path) });
    const { id } = await client.payouts.create(batchOf('ann@shop.example', 'bob@shop.example'), key());
    const abort = new AbortController();
    const pages = client.payouts.pages(id, { pageSize: 1 }, { signal: abort.signal });
    await pages.next();
    abort.abort(new Error('the reader left'));
    await expect(pages.next()).rejects.toThrow('the reader left');
    expect(paths.filter((path) => path.startsWith(`/v1/payments/payouts/${id}`))).toEqual([
      `/v1/payments/payouts/${id}?page=1&page_size=1&total_required=true`,
    ]);
  });

  it('of 10,000 items is made in one call and read back whole, each item once', async () => {
    const client = sandbox.connect();
    const receivers = Array.from({ length: 10_000 }, (_, at) => `receiver-${at}@shop.example`);
    const request = batchOf(...receivers);
    const { id } = await client.payouts.create(request, key());
    const items = await itemsOf(client, id, 1_000);
    expect(items.map(({ senderItemId }) => senderItemId)).toEqual(
      request.items.map(({ senderItemId }) => senderItemId),
    );
  });

  it('or item that does not exist is not found', async () => {
    const { payouts, payoutItems } = sandbox.connect();
    await expect(payouts.get('NOBODY-MADE')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(payoutItems.get('NOBODY-MADE')).rejects.toMatchObject({ kind: 'not_found' });
  });
});
