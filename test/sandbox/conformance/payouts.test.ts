import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../sandbox-fixture.js';
import { ConformanceFixture } from './conformance-fixture.js';
import { refusal, sdk, type SdkAnswer } from './sdk.js';

const NOBODY = 'nobody-yet@shop.example';

const item = (value: number | string, receiver: string, sender_item_id: string) => ({
  recipient_type: 'EMAIL',
  amount: { value, currency: 'USD' },
  receiver,
  note: 'Thank you.',
  sender_item_id,
});
const header = () => ({ sender_batch_id: crypto.randomUUID(), email_subject: 'You have a payment' });
/** Amounts as numbers, as the public client’s examples have them. */
const batch = () => ({
  sender_batch_header: header(),
  items: [item(0.99, 'one@shop.example', 'item_1'), item(0.9, 'two@shop.example', 'item_2')],
});

const idOf = (payout: SdkAnswer): string => payout['batch_header'].payout_batch_id;
const statusOf = async (id: string) => (await sdk('payout.get', id))['batch_header'].batch_status;

describe('paypal-rest-sdk, payouts', () => {
  let conformance: ConformanceFixture;
  beforeAll(async () => {
    const payoutRules = [{ receiver: NOBODY, outcome: 'unclaimed' }];
    conformance = await ConformanceFixture.start({
      payoutPendingMs: 50,
      payoutProcessingMs: 50,
      payoutRules,
    });
  });
  afterAll(() => conformance.stop());

  it('pays a batch, each item once', async () => {
    const request = batch();
    const created = await sdk('payout.create', request);
    expect(created.httpStatusCode).toBe(201);
    expect(created['batch_header']).toMatchObject({
      batch_status: 'PENDING',
      sender_batch_header: { sender_batch_id: request.sender_batch_header.sender_batch_id },
    });
    expect(created['links'].length).toBeGreaterThan(0);
    await eventually(() => statusOf(idOf(created))).toBe('SUCCESS');
    const paid = await sdk('payout.get', idOf(created));
    expect(paid['batch_header'].amount).toEqual({ value: '1.89', currency: 'USD' });
    expect(paid['items'].map((each: SdkAnswer) => each['transaction_status'])).toEqual([
      'SUCCESS',
      'SUCCESS',
    ]);
    const first = await sdk('payoutItem.get', paid['items'][0].payout_item_id);
    expect(first).toMatchObject({
      payout_batch_id: idOf(created),
      payout_item: { receiver: 'one@shop.example' },
    });
  });

  it('takes the kind of receiver from the header', async () => {
    const { recipient_type, ...untyped } = item(0.15, 'three@shop.example', 'item_3');
    const sender_batch_header = { ...header(), recipient_type };
    const created = await sdk('payout.create', { sender_batch_header, items: [untyped] });
    await eventually(() => statusOf(idOf(created))).toBe('SUCCESS');
  });

  it('is refused the same batch twice', async () => {
    const request = batch();
    await sdk('payout.create', request);
    const { status, body } = await refusal('payout.create', request);
    expect([status, body['name']]).toEqual([400, 'USER_BUSINESS_ERROR']);
    expect(body['details']).toMatchObject([{ field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }]);
  });

  it('gets a single payout’s outcome in the answer, and a refusal for more than one', async () => {
    const single = { sender_batch_header: header(), items: [item(0.15, NOBODY, 'item_3')] };
    const paid = await sdk('payout.create', single, 'true');
    expect(paid['items']).toMatchObject([{ transaction_status: 'UNCLAIMED' }]);
    const { status, body } = await refusal('payout.create', batch(), 'true');
    expect(status).toBe(400);
    expect(body['details'][0]).toMatchObject({
      field: 'items',
      issue: 'SIZE_LIMIT_EXCEEDED_FOR_SYNC_PAYOUT',
    });
  });

  it('cancels an unclaimed item once, and no other', async () => {
    const created = await sdk('payout.create', {
      sender_batch_header: header(),
      items: [item(1, NOBODY, 'item_1'), item(2, 'two@shop.example', 'item_2')],
    });
    await eventually(() => statusOf(idOf(created))).toBe('SUCCESS');
    const [unclaimed, paid] = (await sdk('payout.get', idOf(created)))['items'];
    const cancelled = await sdk('payoutItem.cancel', unclaimed.payout_item_id);
    expect(cancelled).toMatchObject({ httpStatusCode: 200, transaction_status: 'RETURNED' });
    const again = await refusal('payoutItem.cancel', unclaimed.payout_item_id);
    expect([again.status, again.body['name']]).toEqual([400, 'ITEM_ALREADY_CANCELLED']);
    const wrong = await refusal('payoutItem.cancel', paid.payout_item_id);
    expect([wrong.status, wrong.body['name']]).toEqual([400, 'ITEM_INCORRECT_STATUS']);
  });
});
