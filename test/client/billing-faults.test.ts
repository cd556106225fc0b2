import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentsClient } from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { agreementRequest, payoutRequest, planRequest } from './billing-requests.js';
import { captureOf, ConnectedSandbox, key, usd } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());
beforeAll(async () => {
  await sandbox.service.configure({ payoutPendingMs: 0, payoutProcessingMs: 0 });
});
afterAll(async () => {
  expect(await sandbox.service.violations()).toEqual([]);
});
afterEach(() => sandbox.service.request('DELETE', '/admin/faults'));

const spoilt = [
  { kind: 'drop_reply' },
  { kind: 'garbage', body: 'html', status: 200 },
  { kind: 'garbage', body: 'truncated' },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 429, retryAfter: 0 },
  { kind: 'status', status: 503, retryAfter: 0 },
];

async function captured(client: PaymentsClient) {
  const { paymentId, authorizationId } = await sandbox.authorize(client);
  const { id } = await client.authorizations.capture(authorizationId, captureOf('10.60'), key());
  return { paymentId, captureId: id };
}

async function approved(client: PaymentsClient): Promise<string> {
  const { id: planId } = await client.plans.create(planRequest, key());
  await client.plans.activate(planId);
  const { token } = await client.agreements.create({ ...agreementRequest, planId }, key());
  await sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);
  return token;
}

/** An agreement that owes its setup fee of 5.00. */
async function owing(client: PaymentsClient): Promise<string> {
  const token = await approved(client);
  await sandbox.service.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
  return (await client.agreements.execute(token, key())).id;
}

const part = () => ({ amount: usd('4.10'), invoiceNumber: randomUUID() });
const ofBooks = async (query: string) => {
  const { body } = await sandbox.service.request('GET', `/admin/books/movements?${query}`);
  const movements = body.movements as { kind: string; amountMinor: number }[];
  return movements.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`);
};

const inFlight = async () => (await sandbox.service.request('GET', '/admin/calls?inflight=true')).body.calls;

/** Also the calls whose callers have gone. */
const allHaveEnded = () => expect.poll(inFlight).toEqual([]);

/** Cases 1, 2, 5 and 6 of docs/failure-cases.md, counted in the service's own books. */
describe('a refund', () => {
  const once = ['hold 1060', 'capture 1060', 'refund 410'];

  it.each(spoilt)('is made once under %j', async (fault) => {
    const client = sandbox.connect();
    const { paymentId, captureId } = await captured(client);
    await sandbox.service.switchOnFault({ operation: 'capture.refund', ...fault });
    await expect(client.captures.refund(captureId, part(), key())).resolves.toMatchObject({
      state: 'completed',
    });
    expect(await sandbox.service.booksOf(paymentId)).toEqual(once);
  });

  it('is made once when it is carried out after its caller has asked again', async () => {
    const client = sandbox.connect({ attemptTimeoutMs: 1_000, retry: { maxAttempts: 20 } });
    const { paymentId, captureId } = await captured(sandbox.connect());
    const late = { kind: 'late', executeAfterMs: 2_500, delayMs: 4_000 };
    await sandbox.service.switchOnFault({ operation: 'capture.refund', ...late });
    await expect(client.captures.refund(captureId, part(), key())).resolves.toBeDefined();
    await allHaveEnded();
    expect(await sandbox.service.booksOf(paymentId)).toEqual(once);
  });

  it('is made once when two processes ask for it under one key', async () => {
    const { paymentId, captureId } = await captured(sandbox.connect());
    const [request, options] = [part(), key()];
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => sandbox.connect().captures.refund(captureId, request, options)),
    );
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused.every((error: { kind: string }) => error.kind === 'conflict')).toBe(true);
    expect(refused.length).toBeLessThan(4);
    expect(await sandbox.service.booksOf(paymentId)).toEqual(once);
  });

  it('under a poisoned key keeps its unknown outcome and is never made; under a new key it is made', async () => {
    const client = sandbox.connect();
    const { paymentId, captureId } = await captured(client);
    await sandbox.service.switchOnFault({ operation: 'capture.refund', kind: 'poison' });
    const poisoned = key();
    for (const _ of [1, 2]) {
      await expect(client.captures.refund(captureId, part(), poisoned)).rejects.toMatchObject({
        kind: expect.stringMatching(/unknown_outcome|rejected/),
      });
    }
    await client.captures.refund(captureId, part(), key());
    expect(await sandbox.service.booksOf(paymentId)).toEqual(once);
  });
});

describe('a payout', () => {
  it.each(spoilt)('is made once under %j', async (fault) => {
    const client = sandbox.connect();
    await sandbox.service.switchOnFault({ operation: 'payout.create', ...fault });
    const request = { ...payoutRequest, senderBatchId: randomUUID() };
    const { id } = await client.payouts.create(request, key());
    await expect.poll(async () => (await client.payouts.get(id)).status).toBe('SUCCESS');
    const paid = await sandbox.service.sql(
      `SELECT count(*)::int AS times FROM book_entries JOIN payout_items ON payout_items.id = payout_item_id
        JOIN payout_batches ON payout_batches.id = batch_id
        WHERE sender_batch_id = '${request.senderBatchId}' AND kind = 'payout'`,
    );
    expect(paid).toEqual([{ times: 1 }]);
  });
});

describe('a call for which the provider declares no key', () => {
  const lost = [{ kind: 'drop_reply' }, { kind: 'garbage', body: 'html', status: 200 }];

  it.each(lost)('collects what is owed once, and leaves the outcome to a lookup, under %j', async (fault) => {
    const client = sandbox.connect();
    const id = await owing(client);
    await sandbox.service.switchOnFault({ operation: 'agreement.bill-balance', ...fault });
    const bill = { note: 'what is owed', amount: usd('2') };
    await expect(client.agreements.billBalance(id, bill, key())).rejects.toMatchObject({
      kind: 'unknown_outcome',
    });
    expect((await client.agreements.get(id)).details.outstandingBalance).toEqual(usd('3.00'));
    expect(await ofBooks(`agreement=${id}`)).toEqual(['sale 200']);
  });

  it.each(lost)('cancels an agreement once, and leaves the outcome to a lookup, under %j', async (fault) => {
    const client = sandbox.connect();
    const id = await owing(client);
    await sandbox.service.switchOnFault({ operation: 'agreement.cancel', ...fault });
    await expect(client.agreements.cancel(id, { note: 'why' }, key())).rejects.toMatchObject({
      kind: 'unknown_outcome',
    });
    expect((await client.agreements.get(id)).state).toBe('Cancelled');
  });

  it('collects a setup fee once, even if the execution is late and repeated before it ends', async () => {
    const client = sandbox.connect();
    const token = await approved(client);
    const late = { kind: 'late', executeAfterMs: 3_000, delayMs: 4_000 };
    await sandbox.service.switchOnFault({ operation: 'agreement.execute', ...late });
    const impatient = sandbox.connect({ attemptTimeoutMs: 1_000 });
    await expect(impatient.agreements.execute(token, key())).rejects.toMatchObject({
      kind: 'unknown_outcome',
      reason: 'timed_out',
    });
    const { id } = await client.agreements.execute(token, key());
    await allHaveEnded();
    expect(await ofBooks(`agreement=${id}`)).toEqual(['sale 500']);
  });

  it('takes an unclaimed item back once, and leaves the outcome to a lookup', async () => {
    const client = sandbox.connect();
    const items = [{ ...payoutRequest.items[0]!, receiver: 'ann+unclaimed@shop.example' }];
    const batch = await client.payouts.create({ senderBatchId: randomUUID(), items }, key());
    const first = async () => (await client.payouts.getPage(batch.id)).items[0];
    await expect.poll(async () => (await first())?.status).toBe('UNCLAIMED');
    const id = (await first())?.id ?? '';
    await sandbox.service.switchOnFault({ operation: 'payout-item.cancel', kind: 'drop_reply' });
    await expect(client.payoutItems.cancel(id, key())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect((await client.payoutItems.get(id)).status).toBe('RETURNED');
  });
});
