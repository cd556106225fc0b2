import { describe, expect, it } from 'vitest';
import {
  authorization,
  dayOfHold,
  day,
  payment,
  performing,
  reauthorizeStep,
} from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { unknownUntil } from './sample-attempts.js';

const { StepStand } = steps;
const asked = dayOfHold(4);
const [former, created] = [authorization.validUntil, authorization.createdAt];

const dated = (at: number) => new Date(at).toISOString();

/** The hold as an answer shows it, which is reauthorized at once. */
function hold({ id = 'AUTH-1', madeAt = created, heldAt = asked, validUntil = former } = {}) {
  const times = { createTime: dated(madeAt), updateTime: dated(heldAt), validUntil: dated(validUntil) };
  return {
    id,
    paymentId: 'PAY-1',
    state: 'authorized',
    amount: { value: '100.00', currency: 'USD' },
    ...times,
  };
}

type Hold = ReturnType<typeof hold>;
const renewed = (heldAt: number, more: object = {}) => ({
  ...hold({ id: 'AUTH-2', madeAt: heldAt, heldAt }),
  ...more,
});

/** A payment whose reauthorization is asked for, at a provider that gives these answers. */
function standOf({ reads, answer = hold() }: { reads: readonly Hold[]; answer?: Hold }) {
  const held = performing(payment('authorized', { rules: 2 }), reauthorizeStep);
  const openStep = { ...held.openStep!, since: asked };
  const stand = new StepStand({ ...held, status: 'reauthorizing', openStep }, { kind: 'reauthorize' });
  stand.pass(asked - stand.now);
  let made = 0;
  const get = async () => {
    const transaction = { authorizations: [reads[made++] ?? reads.at(-1)], captures: [], sales: [] };
    return { id: 'PAY-1', state: 'approved', payerId: 'PAYER-1', transactions: [transaction] };
  };
  stand.client = {
    clockOffsets: { least: 0, most: 0 },
    payments: { get },
    authorizations: { reauthorize: async () => answer },
  };
  return { stand, reads: () => made };
}

const wrong: readonly [string, Hold][] = [
  ['held again long before it was asked for', hold({ heldAt: asked - day })],
  ['held again under another id long before it was asked for', renewed(asked - day)],
  ['held again after now', renewed(asked + day)],
  ['over already', hold({ validUntil: asked - 1 })],
  ['over sooner than before', hold({ validUntil: former - 1 })],
];

describe('the answer to a reauthorization', () => {
  it.each(wrong)('leaves it in doubt if the hold is shown as %s', async (_, answer) => {
    const { stand } = standOf({ reads: [hold({ heldAt: created })], answer });
    await stand.reauthorize();
    expect(stand.payment.state).toMatchObject({ authorization, openStep: { phase: 'doubt' } });
  });

  it.each([
    ['of another payment', 'PAY-2'],
    ['without its payment', undefined],
  ])('leaves it in doubt if it is a hold under another id, %s', async (_, paymentId) => {
    const { stand } = standOf({ reads: [hold({ heldAt: created })], answer: renewed(asked, { paymentId }) });
    await stand.reauthorize();
    expect(stand.payment.state).toMatchObject({ authorization, openStep: { phase: 'doubt' } });
  });

  it.each([
    ['under the same id', hold()],
    ['under another id', renewed(asked)],
    ['with a later end', renewed(asked, { validUntil: dated(former + 3 * day) })],
    ['without an end', { ...hold(), validUntil: undefined }],
    ['under the same id, without its payment', { ...hold(), paymentId: undefined }],
  ])('is taken %s', async (_, answer) => {
    const { stand } = standOf({ reads: [hold({ heldAt: created })], answer: answer as Hold });
    await stand.reauthorize();
    expect(stand.payment.state).toMatchObject({ authorization: { renewal: { heldAt: asked } } });
  });
});

it('a reauthorization is not sent while the payment shows another hold: its lookup could not tell what it did', async () => {
  const { stand } = standOf({ reads: [renewed(created + day)] });
  await stand.reauthorize();
  expect(stand.attempts).toMatchObject([{ outcome: 'deferred', step: { isUnsent: true } }]);
  expect(stand.payment.state).toMatchObject({ authorization, openStep: { phase: 'retry' } });
});

/** Looks up a reauthorization of unknown outcome at a provider whose reads give these answers. */
async function lookedUp(...reads: readonly Hold[]) {
  const { stand, reads: made } = standOf({ reads });
  const seen = { seenUpdatedAt: created };
  const attempt = stand.madeBefore(0, { ...unknownUntil(asked), step: { ...reauthorizeStep, ...seen } });
  const { openStep } = stand.input.state;
  const look = steps.lookUpMoneyStep(stand.work.context, stand.input, openStep!, [attempt], true);
  return { found: await stand.inTime(look), reads: made() };
}

describe('the lookup of a reauthorization', () => {
  it('takes it from one read with right dates', async () => {
    expect(await lookedUp(renewed(asked))).toMatchObject({ found: { heldAt: asked }, reads: 1 });
  });

  it('takes it from the second read if the first one has wrong dates', async () => {
    expect(await lookedUp(renewed(asked + day), renewed(asked))).toMatchObject({
      found: { heldAt: asked },
      reads: 2,
    });
  });

  it('takes what somebody else has reauthorized before from two reads that agree', async () => {
    expect(await lookedUp(renewed(asked - day))).toMatchObject({ found: { heldAt: asked - day }, reads: 2 });
  });

  it('proves nothing if two reads have other wrong dates', async () => {
    expect(await lookedUp(renewed(asked + day), renewed(asked + 2 * day))).toMatchObject({
      found: 'unreadable',
      reads: 2,
    });
  });
});
