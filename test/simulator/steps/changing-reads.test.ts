import { describe, expect, it } from 'vitest';
import { authorization, capture, day, now, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';

const { StepStand } = steps;
const amount = { value: '100.00', currency: 'USD' };

/** A read of the payment with these related resources. */
function shown(related: object, state = 'approved') {
  const transaction = { authorizations: [], captures: [], sales: [], ...related };
  return { id: 'PAY-1', state, payerId: 'PAYER-1', transactions: [transaction] };
}

const soldAs = (state: string) => shown({ sales: [{ id: 'SALE-1', state, amount }] });

function held(captures: readonly object[] = [], more: object = {}) {
  const { authorizationId: id, createdAt, validUntil } = authorization;
  const times = { createTime: dated(createdAt), updateTime: dated(createdAt), validUntil: dated(validUntil) };
  return shown({ authorizations: [{ id, state: 'authorized', amount, ...times, ...more }], captures });
}

const capturedAs = (state: string, value = '40.00') => ({
  id: 'CAP-1',
  state,
  amount: { value, currency: 'USD' },
});

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

const waitingSale = () => payment('awaiting_approval', { intent: 'sale' });
const pendingCapture = () => {
  const state = payment('authorized', { holdsRest: true });
  return { ...state, status: 'capturing' as const, captures: [capture(40_00, { status: 'pending' })] };
};
/** A day after the end of the window the provider will not show the end of the hold any more. */
const lapsed = () => ({ ...payment('authorized'), lapsed: true });
const afterWindow = authorization.validUntil + day - now;
const elsewhere = (createdAt: number) =>
  held([], { id: 'AUTH-2', createTime: dated(createdAt), updateTime: dated(createdAt) });

describe('one read does not change a payment if the next one differs', () => {
  it.each([
    ['a pending sale that is shown as denied once', payment('pending'), ['denied', 'completed'].map(soldAs)],
    [
      'a pending sale that is shown as completed once',
      payment('pending'),
      ['completed', 'denied'].map(soldAs),
    ],
    [
      'a sale that nobody has approved and is denied once',
      waitingSale(),
      ['denied', 'completed'].map(soldAs),
    ],
  ])('%s', async (_, state, answers) => {
    expect((await observed(state, answers)).status).toBe(state.status);
  });

  it('a pending capture that is shown as denied once', async () => {
    const answers = ['denied', 'completed'].map((state) => held([capturedAs(state)]));
    expect((await observed(pendingCapture(), answers)).state.captures).toMatchObject([{ status: 'pending' }]);
  });

  it('a hold that outlives its window, and leaves out a capture once', async () => {
    const answers = [held(), held([capturedAs('completed')])];
    expect(await observed(lapsed(), answers, afterWindow)).toMatchObject({ status: 'authorized' });
  });

  it('a hold that is shown as voided once, which is read again later', async () => {
    const answers = [held([], { state: 'voided' }), held()];
    expect((await observed(payment('authorized'), answers)).state).toMatchObject({
      status: 'authorized',
      readOwed: true,
    });
  });

  it('a hold that somebody has reauthorized, with other dates each time', async () => {
    const answers = [elsewhere(now - day), elsewhere(now)];
    const { state } = await observed(payment('authorized'), answers);
    expect(state).toMatchObject({ authorization, readOwed: true });
  });
});

describe('two reads that agree change a payment', () => {
  it.each([
    [payment('pending'), soldAs('denied'), 0, 'declined'],
    [payment('pending'), soldAs('completed'), 0, 'completed'],
    [waitingSale(), soldAs('completed'), 0, 'completed'],
    [pendingCapture(), held([capturedAs('denied')]), 0, 'authorized'],
    [lapsed(), held(), afterWindow, 'expired'],
    [payment('authorized'), elsewhere(now), 0, 'authorized'],
  ])('%#', async (state, answer, passed, status) => {
    expect(await observed(state, [answer, answer], passed)).toMatchObject({ status, reads: 2 });
  });
});

it('two reads change a payment that differ only in what does not change it', async () => {
  const answers = [now - 1, now].map((at) => held([], { state: 'voided', updateTime: dated(at) }));
  expect(await observed(payment('authorized'), answers)).toMatchObject({ status: 'voided' });
});

describe('one read is enough', () => {
  it.each([
    ['if nothing has changed', payment('authorized'), held()],
    ['while a sale is pending', payment('pending'), soldAs('pending')],
    [
      'while a hold is pending, though it has no dates yet',
      payment('awaiting_approval'),
      shown({ authorizations: [{ id: 'AUTH-1', state: 'pending', amount }] }),
    ],
  ])('%s', async (_, state, answer) => {
    expect(await observed(state, [answer])).toMatchObject({ status: state.status, reads: 1 });
  });

  it('to execute what it shows as approved: the provider refuses it without an approval', async () => {
    const read = await observed(payment('awaiting_approval'), [shown({}, 'created')]);
    expect(read).toMatchObject({ status: 'authorizing', reads: 1 });
  });
});

it('a hold that is voided, and shown without its dates, does not replace one that is held', async () => {
  const former = held([], { id: 'AUTH-0', state: 'voided', createTime: undefined, validUntil: undefined });
  const { state } = await observed(payment('authorized'), [former, former]);
  expect(state).toMatchObject({
    status: 'authorized',
    authorization,
    contradiction: expect.stringContaining('AUTH-0'),
  });
});
