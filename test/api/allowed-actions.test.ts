import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));

const capture = { captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false } as const;
const step = { type: 'captureAuthorization', commandId: 'cmd_1', minor: 10_000, final: true } as const;
const openStep = { ...runningStep(2, step, Date.now()), phase: 'doubt' as const };

const cases: readonly (readonly [Partial<PaymentState>, readonly string[]])[] = [
  [{ status: 'awaiting_approval' }, ['cancel']],
  [authorizedState(), ['capture', 'void']],
  [
    { ...authorizedState(), status: 'partially_captured', captures: [capture] },
    ['capture', 'void', 'release', 'refund'],
  ],
  [{ ...authorizedState(), status: 'capturing', openStep }, ['check']],
  [{ ...authorizedState(), status: 'needs_review', openStep }, ['check', 'decide']],
  [{ ...authorizedState(), status: 'captured', captures: [{ ...capture, final: true }] }, ['refund']],
];

test.each(cases)(
  'of a payment have links of their names, and are those of its problems: %#',
  async (state, actions) => {
    const id = await api.paymentWith(state);
    const { body } = await api.call('GET', `/v1/payments/${id}`);
    expect(body['allowedActions']).toEqual(actions);
    const rels = (body['links'] as { readonly rel: string }[]).map(({ rel }) => rel);
    expect(rels).toEqual(expect.arrayContaining([...actions]));
    const refusing = actions.includes('cancel') ? 'void' : 'cancel';
    const refused = await api.call('POST', `/v1/payments/${id}/${refusing}`, {
      idempotencyKey: randomUUID(),
    });
    expect(refused.body).toMatchObject({ status: 409, currentState: body['state'], allowedActions: actions });
  },
);

test('of an item say whether it can be cancelled', async () => {
  const items = [
    {
      itemId: 'anna-1',
      receiver: { type: 'EMAIL', value: 'anna@example.com' },
      amount: { value: '7.50', currency: 'USD' },
    },
  ];
  const { body } = await api.call('POST', '/v1/payouts', { body: { items }, idempotencyKey: randomUUID() });
  const id = String(body['id']);
  const shown = async () => (await api.call('GET', `/v1/payouts/${id}/items`)).body['data'];
  expect(await shown()).toMatchObject([{ state: 'queued', allowedActions: [] }]);
  const state = JSON.stringify({ ...payout('settling'), payoutId: id });
  await api.db.updateTable('payouts').set({ status: 'settling', state }).where('id', '=', id).execute();
  await api.db
    .updateTable('payout_items')
    .set({ status: 'unclaimed', provider_item_id: 'ITEM-1' })
    .where('payout_id', '=', id)
    .execute();
  expect(await shown()).toMatchObject([{ state: 'unclaimed', allowedActions: ['cancel'] }]);
  await api.db.updateTable('payout_items').set({ status: 'returned' }).where('payout_id', '=', id).execute();
  expect(await shown()).toMatchObject([{ state: 'returned', allowedActions: [] }]);
  const refused = await api.call('POST', `/v1/payouts/${id}/items/anna-1/cancel`, {
    idempotencyKey: randomUUID(),
  });
  expect(refused.body).toMatchObject({
    code: 'item_not_unclaimed',
    currentState: 'returned',
    allowedActions: [],
  });
});
