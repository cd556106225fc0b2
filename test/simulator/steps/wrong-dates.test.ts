import { describe, expect, it } from 'vitest';
import { day, now, payment } from '../../lifecycle/payment/sample-payments.js';
import { unknownUntil } from './sample-attempts.js';
import { steps } from './stand.js';

const { StepStand } = steps;

/** An executed payment; its hold was made `days` ago by the date that it shows. */
function executed(days = 0, state = 'authorized', end = now + (29 - days) * day) {
  const createTime = new Date(now - days * day).toISOString();
  const validUntil = new Date(end).toISOString();
  const amount = { value: '100.00', currency: 'USD' };
  const authorizations = [{ id: 'AUTH-1', state, amount, createTime, validUntil }];
  const transaction = { authorizations, captures: [], sales: [] };
  return { id: 'PAY-1', state: 'approved', payerId: 'PAYER-1', transactions: [transaction] };
}

const notExecuted = { id: 'PAY-1', state: 'created', payerId: 'PAYER-1', transactions: [] };

/** Answers one call after the other; the last answer is repeated. */
function provider(...answers: readonly object[]) {
  const left = [...answers];
  const calls: string[] = [];
  const next = (name: string) => async () => {
    calls.push(name);
    return left.length > 1 ? left.shift() : left[0];
  };
  const payments = { get: next('get'), execute: next('execute') };
  return { payments, clockOffsets: { least: 0, most: 0 }, calls };
}

describe('the answer to an execution', () => {
  it.each([
    ['40 days ago', 40, undefined],
    ['28.5 days ago', 28.5, undefined],
    ['in the future', -2, undefined],
    ['now, and ended since', 0, 'voided'],
    ['a minute ago, and is over now', 1 / 1_440, undefined, now],
  ])(
    'leaves it in doubt if its hold was made %s: policies would act at once',
    async (_, days, state, end?: number) => {
      const stand = new StepStand(payment('authorizing'));
      stand.client = provider(executed(days, state, end));
      const input = withStepSince(stand.input, now);
      expect(await steps.executePayment(stand.work, input)).toMatchObject({
        event: { type: 'outcomeUnknown' },
      });
      expect(stand.payment.state).toMatchObject({ status: 'authorizing', openStep: { phase: 'doubt' } });
      expect(stand.payment.state.authorization).toBeUndefined();
    },
  );

  it.each([
    ['by our clock', 0, { least: 0, most: 0 }],
    ['by a clock that is known to be hours behind', 0.2, { least: -0.2 * day, most: 0 }],
    ['by a clock that is known to be hours ahead', -0.2, { least: 0, most: 0.2 * day }],
  ])('shows the hold if it was made since, %s', async (_, days, clockOffsets) => {
    const stand = new StepStand(payment('authorizing'));
    stand.client = { ...provider(executed(days)), clockOffsets };
    const outcome = await steps.executePayment(stand.work, withStepSince(stand.input, now));
    expect(outcome).toMatchObject({ event: { type: 'authorizationGranted' } });
    expect(stand.payment).toMatchObject({ status: 'authorized' });
  });
});

describe('the lookup of an execution', () => {
  it.each([
    ['right dates at once', [executed(0)], { authorization: { createdAt: now } }, 1],
    ['wrong dates, then right ones', [executed(40), executed(0)], { authorization: { createdAt: now } }, 2],
    ['wrong dates twice', [executed(40), executed(40)], { authorization: { createdAt: now - 40 * day } }, 2],
    ['other wrong dates each time', [executed(40), executed(41)], 'unreadable', 2],
    [
      'an end, then none',
      [executed(0, 'expired'), executed(0)],
      { authorization: { createdAt: now, validUntil: now + 29 * day } },
      2,
    ],
    ['its end twice', [executed(0, 'voided'), executed(0, 'voided')], { ended: { state: 'voided' } }, 2],
  ] as const)('that shows %s', async (_, answers, found, reads) => {
    const stand = new StepStand(payment('authorizing'));
    const client = provider(...answers);
    stand.client = client;
    const attempt = stand.madeBefore(0, unknownUntil(now));
    const { context } = stand.work;
    const open = stand.input.state.openStep!;
    const seen = await stand.inTime(steps.lookUpMoneyStep(context, stand.input, open, [attempt], true));
    expect({ seen }).toMatchObject({ seen: found });
    expect(client.calls).toHaveLength(reads);
  });
});

describe('a read of a payment that waits for its approval', () => {
  it.each([
    ['a hold of other dates each time', [executed(40), executed(0)], {}, 'awaiting_approval'],
    ['the same hold twice', [executed(0), executed(0)], {}, 'authorized'],
    [
      'no approval once, and then a hold',
      [{ ...notExecuted, payerId: undefined }, executed(0)],
      { lapsed: true },
      'awaiting_approval',
    ],
    [
      'a payment that failed once',
      [{ ...notExecuted, state: 'failed' }, notExecuted],
      {},
      'awaiting_approval',
    ],
    [
      'a kept cancellation once not executed',
      [notExecuted, executed(0)],
      { isCancelWaiting: true },
      'awaiting_approval',
    ],
    [
      'a kept cancellation twice not executed',
      [notExecuted, notExecuted],
      { isCancelWaiting: true },
      'cancelled',
    ],
  ] as const)('that shows %s', async (_, answers, kept, status) => {
    const stand = new StepStand({ ...payment('awaiting_approval'), ...kept });
    const client = provider(...answers);
    stand.client = client;
    await stand.inTime(steps.observePayment(stand.work, stand.input));
    expect(stand.payment).toMatchObject({ status });
    expect(client.calls).toEqual(['get', 'get']);
  });

  it('that shows a hold, of an order that captures at once, captures nothing if the next read differs', async () => {
    const stand = new StepStand(payment('awaiting_approval', { capturePolicy: { mode: 'automatic' } }));
    stand.client = provider(executed(1), executed(0));
    await stand.inTime(steps.observePayment(stand.work, stand.input));
    expect(stand.payment).toMatchObject({ status: 'awaiting_approval' });
  });

  it.each([
    [-1, 'awaiting_approval'],
    [0, 'cancelled'],
  ])('%i ms after the horizon of its execution, a kept cancellation: %s', async (ms, status) => {
    const stand = standWithExecution({
      ...payment('awaiting_approval'),
      stepsBegun: 2,
      isCancelWaiting: true,
    });
    stand.client = provider(notExecuted);
    stand.pass(stand.input.state.order.patience.outcomeHorizonMs + ms);
    await stand.inTime(steps.observePayment(stand.work, stand.input));
    expect(stand.payment).toMatchObject({ status });
  });
});

describe('before the horizon of its execution', () => {
  it('a payment is cancelled if the execution was refused', async () => {
    const kept = { ...payment('awaiting_approval'), stepsBegun: 2, isCancelWaiting: true } as const;
    const stand = standWithExecution(kept, { outcome: 'declined', event: { type: 'approvalFoundMissing' } });
    stand.client = provider(notExecuted);
    await stand.inTime(steps.observePayment(stand.work, stand.input));
    expect(stand.payment).toMatchObject({ status: 'cancelled' });
  });

  it('a hold that two reads show as expired is expired: it was executed', async () => {
    const stand = standWithExecution(payment('authorized'));
    stand.client = provider(executed(0, 'expired'));
    await stand.inTime(steps.observePayment(stand.work, stand.input));
    expect(stand.payment).toMatchObject({ status: 'expired' });
  });
});

const neither = { type: 'paymentCreated', providerPaymentId: 'PAY-1', approvalUrl: 'https://pay.example' };

/** @param recorded the outcome of its execution; by default it was answered as neither carried out nor refused. */
function standWithExecution(
  state: ReturnType<typeof payment>,
  recorded: Parameters<InstanceType<typeof StepStand>['madeBefore']>[1] = {
    outcome: 'answered',
    event: neither,
  },
) {
  const stand = new StepStand(state);
  stand.madeBefore(0, { step_name: 'execute-2', ...recorded });
  return stand;
}

type Input = InstanceType<typeof StepStand>['input'];

function withStepSince(input: Input, since: number): Input {
  const { openStep } = input.state;
  return openStep ? { ...input, state: { ...input.state, openStep: { ...openStep, since } } } : input;
}
