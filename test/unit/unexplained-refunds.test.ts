import { expect, it } from 'vitest';
import type { AttemptRow } from '#database/schema';
import { lookUpRefundRequest } from '#worker/refunds/look-up-refund-request.js';
import type { ActivityContext } from '#worker/steps/activities/context.js';
import type { RefundStepInput } from '#workflows/contract';

const usd = (value: string) => ({ value, currency: 'USD' });
const attempts = [{ reference: 're_1-0', begun_at: new Date() } as AttemptRow];

/** Looks up a refund of 60.00 of a capture of 100.00. The answer shows the capture in this state, and these refunds of others. */
async function lookedUp(
  state: string,
  refunds: readonly (readonly [value: string, state: string])[],
  more = {},
) {
  const captures = [{ id: 'CAP-1', state, amount: usd('100.00'), ...more }];
  const shown = refunds.map(([value, refundState], n) => {
    const id = `REF-${n}`;
    return { id, state: refundState, amount: usd(value), captureId: 'CAP-1', invoiceNumber: 'INV-7' };
  });
  const get = async () => ({ transactions: [{ captures, sales: [], refunds: shown }] });
  const client = { payments: { get }, clockOffsets: { least: 0, most: 0 } };
  const context = { providers: { for: () => client } } as unknown as ActivityContext;
  const collected = { kind: 'capture', id: 'CAP-1' };
  const claim = {
    kind: 'request',
    collected,
    amount: { minor: 60_00, currency: 'USD' },
    providerPaymentId: 'PAY-1',
  };
  const input = { identity: {}, state: { claim } } as unknown as RefundStepInput;
  return await lookUpRefundRequest(context, input, attempts);
}

it.each([
  ['nothing has gone back', 'completed', []],
  ['a part has gone back, by a refund of others', 'partially_refunded', [['40.00', 'completed']]],
  [
    'all has gone back, by refunds of others',
    'refunded',
    [
      ['40.00', 'completed'],
      ['60.00', 'pending'],
    ],
  ],
] as const)('a refund is absent if %s', async (_, state, refunds) => {
  expect(await lookedUp(state, refunds)).toBe('absent');
});

it('a refund is absent beside a chargeback, which no refund explains', async () => {
  expect(await lookedUp('refunded', [['40.00', 'completed']], { reasonCode: 'CHARGEBACK' })).toBe('absent');
});

it.each([
  ['more has gone back than the shown refunds', 'refunded', [['40.00', 'completed']]],
  [
    'all has gone back, and a shown refund has failed',
    'refunded',
    [
      ['40.00', 'completed'],
      ['60.00', 'failed'],
    ],
  ],
  ['a part has gone back, and no refund is shown', 'partially_refunded', []],
] as const)('a refund is not absent if %s: an answer leaves one out', async (_, state, refunds) => {
  expect(await lookedUp(state, refunds)).toBe('unreadable');
});
