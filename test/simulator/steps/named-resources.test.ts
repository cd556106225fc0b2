import { describe, expect, it } from 'vitest';
import { authorization, day, hour, now, patience, payment } from '../../lifecycle/payment/sample-payments.js';
import { doubted, unknownUntil } from './sample-attempts.js';
import { steps } from './stand.js';

const { StepStand } = steps;
const dated = (at: number) => new Date(at).toISOString();
const amountOf = (value: string) => ({ value, currency: 'USD' });
const clockOffsets = { least: 0, most: 0 };
const findsNothing = async () => ({ payments: [], nextId: undefined });

/** A read of the payment with these related resources. */
function shown(related: object, state = 'approved') {
  const transaction = { custom: 'pay_1', authorizations: [], captures: [], sales: [], ...related };
  const approval = { payerId: 'PAYER-1', approvalUrl: 'https://pay.example' };
  return { id: 'PAY-1', state, ...approval, transactions: [transaction] };
}

function hold(createdAt: number, state = 'authorized') {
  const times = { createTime: dated(createdAt), validUntil: dated(createdAt + 29 * day) };
  return { id: 'AUTH-1', state, amount: amountOf('100.00'), ...times };
}

const part = (id: string, value: string, more: object = {}) => ({
  id,
  state: 'completed',
  amount: amountOf(value),
  ...more,
});
const sold = (state: string) => shown({ sales: [part('SALE-1', '100.00', { state })] });
const held = (createdAt: number) => shown({ authorizations: [hold(createdAt)] });

const known = part('CAP-1', '40.00');
const ofOthers = part('CAP-3', '10.00', { invoiceNumber: 'SHOP-1' });
const ours = (invoiceNumber: string) => ({ invoiceNumber, authorizationId: 'AUTH-1' });

/**
 * Looks up a capture of unknown outcome that an event names. The payment does not show it until it was read by its own id.
 *
 * @param made what it shows besides its amount. @param minor of the hold. @param others captures that the payment shows.
 */
async function named(
  made: (reference: string) => object,
  minor = authorization.minor,
  others: readonly object[] = [known, ofOthers],
) {
  const stand = new StepStand({ ...doubted(now), authorization: { ...authorization, minor } });
  const attempt = stand.madeBefore(0, unknownUntil(now));
  const capture = part('CAP-2', '60.00', made(attempt.reference));
  const authorizations = [hold(authorization.createdAt, 'partially_captured')];
  let captures: readonly object[] = [known];
  stand.client = {
    payments: { get: async () => shown({ authorizations, captures }) },
    captures: {
      get: async () => {
        captures = [...others, capture];
        return capture;
      },
    },
    clockOffsets,
  };
  const asked = [stand.input.state.openStep!, [attempt], true] as const;
  const hint = { resourceId: 'CAP-2' };
  return await stand.inTime(steps.lookUpWithHint(stand.work.context, stand.input, [...asked], hint));
}

describe('a capture of unknown outcome that an event names', () => {
  it.each([
    ['without a hold', (invoiceNumber: string) => ({ invoiceNumber })],
    ['without a reference, for nobody says that it is ours', () => ({ authorizationId: 'AUTH-1' })],
  ])('is not believed %s', async (_, made) => {
    expect(await named(made)).toBe('absent');
  });

  it('says what others have captured of the hold, if it gives the rest back', async () => {
    expect(await named(ours, 200_00)).toMatchObject({
      capture: { captureId: 'CAP-2', minor: 60_00 },
      shown: [{ captureId: 'CAP-1' }, { captureId: 'CAP-3' }, { captureId: 'CAP-2' }],
    });
  });

  it('ends no hold while the payment leaves out a capture that we know', async () => {
    expect(await named(ours, 200_00, [ofOthers])).toBe('unreadable');
  });
});

/**
 * An operator names a payment as the result of a creation under review.
 *
 * @param answers of its reads by its own id, one after the other; the search finds nothing.
 */
async function decided(intent: 'authorize' | 'sale', answers: readonly object[]) {
  const { openStep, ...state } = payment('creating', { intent });
  const doubt = { ...openStep!, phase: 'doubt', horizonAt: now } as const;
  const stand = new StepStand({ ...state, status: 'needs_review', openStep: doubt });
  stand.rows.commands.accept({ id: 'cmd_9', kind: 'decide', subjectId: 'pay_1' });
  stand.madeBefore(0, { step_name: 'create', ...unknownUntil(now) });
  const left = [...answers];
  stand.client = { payments: { get: async () => left.shift(), list: findsNothing }, clockOffsets };
  const word = { commandId: 'cmd_9', decision: 'happened', reason: 'Seen.', resourceId: 'PAY-1' } as const;
  await stand.inTime(steps.verifyDecision(stand.work, stand.input, { ...word, isUnverified: false }));
  return { ...stand.payment, left };
}

describe('a payment that an operator names as the result of a creation', () => {
  const wrong = [40, 41].map((days) => held(now - days * day));

  it.each([
    ['a sale that is denied once', 'sale', [sold('denied'), sold('completed')], 'completed'],
    ['a sale that is denied twice', 'sale', [sold('denied'), sold('denied')], 'declined'],
    ['a hold of other wrong dates each time', 'authorize', wrong, 'needs_review'],
    ['a hold of wrong dates, then right ones', 'authorize', [...wrong.slice(1), held(now)], 'authorized'],
  ] as const)('is read twice if it shows %s', async (_, intent, answers, status) => {
    expect(await decided(intent, answers)).toMatchObject({ status, left: [] });
  });
});

it.each([
  ['by the first attempt', now],
  ['by the last one, at the end of its horizon', now + day + hour],
])(
  'the lookup of a creation that was sent twice finds a payment that was created %s',
  async (_, createdAt) => {
    const stand = new StepStand(payment('creating', { patience: { ...patience, outcomeHorizonMs: hour } }));
    const attempts = [now, now + day].map((at, number) => {
      const times = { begun_at: new Date(at), send_by: new Date(at) };
      return stand.madeBefore(number, { step_name: 'create', ...unknownUntil(at), ...times });
    });
    const list = async ({ startTime, endTime }: { startTime: string; endTime: string }) => {
      const isWithin = Date.parse(startTime) <= createdAt && createdAt <= Date.parse(endTime);
      return { payments: isWithin ? [shown({}, 'created')] : [], nextId: undefined };
    };
    stand.client = { payments: { list }, clockOffsets };
    const { context } = stand.work;
    const look = steps.lookUpMoneyStep(context, stand.input, stand.input.state.openStep!, attempts, true);
    expect(await stand.inTime(look)).toMatchObject({ type: 'paymentCreated', providerPaymentId: 'PAY-1' });
  },
);
