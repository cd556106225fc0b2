import { describe, expect, it } from 'vitest';
import { authorization, now, payment } from '../../lifecycle/payment/sample-payments.js';
import { doubted, unknownUntil } from './sample-attempts.js';
import { steps } from './stand.js';

const { StepStand } = steps;
const dated = (at: number) => new Date(at).toISOString();

/** A read of the payment with these related resources. */
function shown(related: object, state = 'approved') {
  const transaction = { authorizations: [], captures: [], sales: [], ...related };
  return { id: 'PAY-1', state, payerId: 'PAYER-1', transactions: [transaction] };
}

const amountOf = (value: string) => ({ value, currency: 'USD' });
const sale = (state: string) => ({ id: 'SALE-1', state, amount: amountOf('100.00') });

function hold(state: string, createdAt = authorization.createdAt) {
  const times = { createTime: dated(createdAt), validUntil: dated(authorization.validUntil) };
  return { id: 'AUTH-1', state, amount: amountOf('100.00'), ...times };
}

const part = (value: string, more: object = {}) => ({
  id: 'CAP-1',
  state: 'completed',
  amount: amountOf(value),
  ...more,
});

/** Looks a step of unknown outcome up after its horizon, at a provider that gives one answer after the other. */
async function lookedUp(state: ReturnType<typeof payment>, ...answers: readonly object[]) {
  const stand = new StepStand(state);
  let reads = 0;
  const get = async () => answers[reads++] ?? answers.at(-1);
  stand.client = { payments: { get }, clockOffsets: { least: 0, most: 0 } };
  const attempt = stand.madeBefore(0, unknownUntil(now));
  const { context } = stand.work;
  const look = steps.lookUpMoneyStep(context, stand.input, stand.input.state.openStep!, [attempt], true);
  return { found: await stand.inTime(look), reads, reference: attempt.reference };
}

describe('an execution whose payment still reads as created', () => {
  it('is found if its sale is shown', async () => {
    expect(
      await lookedUp(payment('executing'), shown({ sales: [sale('completed')] }, 'created')),
    ).toMatchObject({
      found: { type: 'saleAnswered', sale: { status: 'completed' } },
    });
  });

  it('is found if its hold is shown', async () => {
    const answer = shown({ authorizations: [hold('authorized', now)] }, 'created');
    expect(await lookedUp(payment('authorizing'), answer)).toMatchObject({
      found: { type: 'authorizationGranted' },
    });
  });

  it('is absent if neither is shown', async () => {
    expect(await lookedUp(payment('authorizing'), shown({}, 'created'))).toMatchObject({ found: 'absent' });
  });
});

const captured = (...captures: readonly object[]) => shown({ authorizations: [hold('captured')], captures });

describe('a capture of 60.00 after one of 40.00, whose hold reads as captured', () => {
  it('is not excluded by that if no other capture explains it: an answer leaves one out', async () => {
    expect(await lookedUp(doubted(now), captured(part('40.00')))).toMatchObject({ found: 'unreadable' });
  });

  it.each([
    ['the first one was final', [part('40.00', { isFinalCapture: true })]],
    [
      'somebody else has captured the rest',
      [part('40.00'), part('60.00', { id: 'CAP-3', invoiceNumber: 'X' })],
    ],
  ])('is excluded if %s', async (_, captures) => {
    expect(await lookedUp(doubted(now), captured(...captures))).toMatchObject({
      found: { type: 'stepDeclined' },
    });
  });
});

describe('an outcome that is shown as denied', () => {
  it.each([
    ['once is not believed', ['denied', 'completed'], 'completed'],
    ['twice is', ['denied', 'denied'], 'denied'],
  ])('%s', async (_, states, status) => {
    const sales = states.map((state) => shown({ sales: [sale(state)] }));
    expect(await lookedUp(payment('executing'), ...sales)).toMatchObject({
      found: { sale: { status } },
      reads: 2,
    });
    const { reference } = await lookedUp(doubted(now), shown({ authorizations: [hold('authorized')] }));
    const captures = states.map((state) =>
      shown({
        authorizations: [hold('partially_captured')],
        captures: [part('40.00'), part('60.00', { id: 'CAP-2', state, invoiceNumber: reference })],
      }),
    );
    expect(await lookedUp(doubted(now), ...captures)).toMatchObject({
      found: { capture: { status } },
      reads: 2,
    });
  });

  it.each([
    ['denied twice is believed', ['denied', 'denied'], { capture: { status: 'denied' } }],
    ['denied once is not believed', ['denied', 'completed'], { capture: { status: 'completed' } }],
    ['denied once proves no absence if it cannot be read again', ['denied'], 'unreadable'],
  ])('by its own id, as an event or an operator names it: %s', async (_, states, found) => {
    const stand = new StepStand(doubted(now));
    const attempt = stand.madeBefore(0, unknownUntil(now));
    const made = { id: 'CAP-2', invoiceNumber: attempt.reference, authorizationId: 'AUTH-1' };
    const answers = states.map((state) => part('60.00', { ...made, state }));
    const get = async () => answers.shift() ?? Promise.reject(new DOMException('away', 'TimeoutError'));
    const lagging = shown({ authorizations: [hold('partially_captured')], captures: [part('40.00')] });
    stand.client = {
      payments: { get: async () => lagging },
      captures: { get },
      clockOffsets: { least: 0, most: 0 },
    };
    const asked = [stand.input.state.openStep!, [attempt], true] as const;
    const look = steps.lookUpWithHint(stand.work.context, stand.input, [...asked], { resourceId: 'CAP-2' });
    expect({ found: await stand.inTime(look), left: answers }).toMatchObject({ found, left: [] });
  });
});
