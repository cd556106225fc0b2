import { describe, expect, it } from 'vitest';
import { amountsOf, type PaymentEvent, type PaymentState, transition } from '#workflows/lifecycle/payment';
import { after, authorization, capture, day, facts, payment, performing } from './sample-payments.js';

const at = authorization.createdAt + 4 * day;
const reauthorize = (state: PaymentState, minor: number) =>
  transition(state, { type: 'reauthorizeRequested', commandId: 'cmd_2', minor }, at);
const pending = {
  ...payment('authorized'),
  captures: [capture(25_00, { status: 'pending' })],
};

it.each([0, -1])('%i minor units are not reauthorized', (minor) => {
  expect(reauthorize(payment('authorized'), minor)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'amount_exceeds_reauthorizable' },
  });
});

it('115 % are rounded down to whole minor units', () => {
  const odd = {
    ...payment('authorized', { amount: { minor: 101_51, currency: 'EUR' } }),
    authorization: { ...authorization, minor: 101_51 },
  };
  expect(reauthorize(odd, 116_73).kind).toBe('moved');
  expect(reauthorize(odd, 116_74).kind).toBe('refused');
});

it('a capture under way counts with the amount that was asked for against what can be reauthorized', () => {
  expect(reauthorize(pending, 90_00).kind).toBe('moved');
  expect(reauthorize(pending, 90_01).kind).toBe('refused');
  const reauthorizing = performing(
    { ...pending, status: 'reauthorizing' },
    { type: 'reauthorizeAuthorization', commandId: 'cmd_2', minor: 90_00 },
  );
  const reauthorized = after(reauthorizing, [
    { type: 'authorizationRenewed', authorization: { ...authorization, minor: 90_00 }, heldAt: at },
    at,
  ]);
  expect(reauthorized.reauthorizations?.limit).toBe(115_00);
});

it.each([authorization.createdAt, authorization.createdAt - 1])(
  'a reauthorized hold without an end (%i) keeps its old end',
  (validUntil) => {
    const answer = { ...authorization, authorizationId: 'AUTH-2', validUntil };
    const reauthorized = after(payment('reauthorizing'), [
      { type: 'authorizationRenewed', authorization: answer, heldAt: at },
      at,
    ]);
    expect(reauthorized.authorization?.validUntil).toBe(authorization.validUntil);
  },
);

const renewed = (state: PaymentState, authorizationId: string, minor: number, n: number) => {
  const on = authorization.createdAt + n * day;
  const answer = { ...authorization, authorizationId, minor, createdAt: on };
  return after(
    state,
    [{ type: 'reauthorizeRequested', commandId: `cmd_${n}`, minor }, on],
    [{ type: 'authorizationRenewed', authorization: answer, heldAt: on }, on],
  );
};

const ask = (minor: number): PaymentEvent => ({ type: 'reauthorizeRequested', commandId: 'cmd_9', minor });

describe('a hold of 100.00 that was reauthorized at 115.00', () => {
  const raised = renewed(payment('authorized'), 'AUTH-2', 115_00, 4);

  it('is reauthorized at no more than that: the limit counts from the first hold', () => {
    const later = authorization.createdAt + 8 * day;
    expect(transition(raised, ask(115_00), later).kind).toBe('moved');
    expect(transition(raised, ask(115_01), later).kind).toBe('refused');
    const lowered = renewed(raised, 'AUTH-3', 20_00, 8);
    expect(transition(lowered, ask(115_00), later + 4 * day).kind).toBe('moved');
    expect(transition(lowered, ask(115_01), later + 4 * day).kind).toBe('refused');
  });

  it('can be captured with 115.00 although we have lowered it, if somebody has raised it again', () => {
    const lowered = renewed(raised, 'AUTH-3', 20_00, 8);
    expect(amountsOf(lowered).capturable).toBe(20_00);
    const on = authorization.createdAt + 12 * day;
    const shown = { ...authorization, authorizationId: 'AUTH-4', minor: 115_00, createdAt: on };
    const read = facts({ authorization: { ...shown, state: 'authorized' } });
    const again = after(lowered, [{ type: 'providerObserved', facts: read }, on]);
    expect(amountsOf(again).capturable).toBe(115_00);
  });
});
