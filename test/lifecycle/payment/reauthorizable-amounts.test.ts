import { expect, it } from 'vitest';
import { type PaymentState, transition } from '#workflows/lifecycle/payment';
import { after, authorization, capture, day, payment, performing } from './sample-payments.js';

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
