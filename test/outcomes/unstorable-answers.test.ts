import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { RewritingProxy } from '../helpers/rewriting-proxy.js';
import { PayoutService, item } from '../payouts/payout-service.js';

/** The sandbox takes no NUL, so that it is put in on the way. */
const standsForNul = 'AxNULxB';
const proxy = new RewritingProxy((text) => text.replaceAll(standsForNul, String.raw`A\u0000B`));

let engine: Engine;
let payouts: PayoutService;
let subscriptions: SubscriptionStage;
beforeAll(async () => {
  const dayLengthMs = 2_000;
  engine = await startEngine({ dayLengthMs, through: (providerUrl) => proxy.start(providerUrl) });
  await engine.sandbox.configure({ dayLengthMs });
  payouts = new PayoutService(engine);
  subscriptions = new SubscriptionStage(engine);
});
afterEach(() => engine.sandbox.clearFaults());
afterAll(async () => {
  await engine.close();
  proxy.stop();
});

/** The provider's texts that are stored beside the state, or that rows are found by. */
const unstorable = [
  ['NUL', standsForNul],
  ['a card number', '4111111111111111'],
  ['an e-mail address', 'anna@shop.example'],
] as const;
const unstorableText = /4111111111111111|anna@|A\\u0000B|AxNULxB/u;

describe.each(unstorable)('%s, shown by the provider', (_, text) => {
  it('as the transaction of an item, is not stored, and the payout ends', async () => {
    await shows('payout.get', '**.transaction_id', text);
    const { body } = await payouts.order([item('anna'), item('ben')]);
    await payouts.reaches(body.id, 'completed');
    const items = await payouts.items(body.id);
    expect(items).toMatchObject([
      { state: 'success', transactionId: null },
      { state: 'success', transactionId: null },
    ]);
  });

  it('as the reference of an item, does not keep the other items and the payout from their end', async () => {
    await shows('payout.get', 'items[0].payout_item.sender_item_id', text, 2);
    const { body } = await payouts.order([item('anna'), item('ben')]);
    await payouts.reaches(body.id, 'completed');
    expect(await payouts.booksOf(body.id)).toEqual(['payout anna 750', 'payout ben 750']);
  });

  it('as the transaction of an agreement, is not stored, and the payment is recorded once', async () => {
    await shows('agreement.transactions', '**.transaction_id', text, 2);
    const { body: plan } = await subscriptions.plan({
      regular: { frequency: 'DAY', cycles: 2, amount: '9.00' },
    });
    const { id } = await subscriptions.subscribed(plan.id);
    await subscriptions.reaches(id, 'expired');
    const { payments, collected } = await subscriptions.payments(id);
    expect({ payments: payments.length, ...collected }).toMatchObject({ payments: 2, value: '18.00' });
    expect(JSON.stringify(payments)).not.toMatch(unstorableText);
  });
});

async function shows(
  operation: string,
  field: string,
  text: string,
  times: number | null = null,
): Promise<void> {
  await engine.sandbox.fault({ operation, kind: 'reshape', add: { [field]: text }, times });
}
