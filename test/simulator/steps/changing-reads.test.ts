import { expect, it } from 'vitest';
import { authorization, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';

const { StepStand } = steps;
const amount = { value: '100.00', currency: 'USD' };

/** A read of the payment with these related resources. */
function shown(related: object, state = 'approved') {
  const transaction = { authorizations: [], captures: [], sales: [], ...related };
  return { id: 'PAY-1', state, payerId: 'PAYER-1', transactions: [transaction] };
}

function held(captures: readonly object[], more: object) {
  const { authorizationId: id, createdAt, validUntil } = authorization;
  const times = { createTime: dated(createdAt), updateTime: dated(createdAt), validUntil: dated(validUntil) };
  return shown({ authorizations: [{ id, state: 'authorized', amount, ...times, ...more }], captures });
}

function dated(at: number): string {
  return new Date(at).toISOString();
}

/** Observes the payment, whose reads give one answer after the other. */
async function observed(state: ReturnType<typeof payment>, answers: readonly object[], passed = 0) {
  const stand = new StepStand(state);
  let reads = 0;
  stand.client = { payments: { get: async () => answers[reads++] } };
  stand.pass(passed);
  await stand.inTime(steps.observePayment(stand.work, stand.input));
  return { ...stand.payment, reads };
}

it('a hold that is voided, and shown without its dates, does not replace one that is held', async () => {
  const former = held([], { id: 'AUTH-0', state: 'voided', createTime: undefined, validUntil: undefined });
  const { state } = await observed(payment('authorized'), [former, former]);
  expect(state).toMatchObject({
    status: 'authorized',
    authorization,
    contradiction: expect.stringContaining('AUTH-0'),
  });
});
