import { describe, expect, it } from 'vitest';
import { amountsOf, type Capture } from '#workflows/lifecycle/payment';
import { authorization, capture, payment, settled } from './sample-payments.js';

describe('of a hold of 100.00', () => {
  it('what was captured or is on its way cannot be captured again', () => {
    const captures = [capture(40_00), capture(25_00, { captureId: 'CAP-2', status: 'pending' })];
    expect(amountsOf({ ...payment('partially_captured'), captures })).toEqual({
      authorized: 100_00,
      captured: 40_00,
      pending: 25_00,
      capturable: 35_00,
      released: 0,
    });
  });

  it('a denied capture counts for nothing', () => {
    const captures = [capture(40_00, { status: 'denied' })];
    expect(amountsOf({ ...payment('authorized'), captures })).toMatchObject({
      captured: 0,
      capturable: 100_00,
    });
  });

  it.each(['capturing', 'voiding', 'captured', 'voided', 'expired', 'needs_review'] as const)(
    'nothing can be captured while the payment is %s',
    (status) => {
      expect(amountsOf(payment(status)).capturable).toBe(0);
    },
  );

  it('a void releases what was not captured, and nothing is released before it', () => {
    const captured = [capture(70_00)];
    expect(amountsOf({ ...payment('voided'), captures: captured, released: true }).released).toBe(30_00);
    expect(amountsOf({ ...payment('voiding'), captures: captured }).released).toBe(0);
  });
});

it('a denied capture of an earlier hold makes the present hold no larger', () => {
  const reauthorized = {
    ...payment('authorized'),
    authorization: { ...authorization, authorizationId: 'AUTH-2' },
    reauthorizations: { earlier: [{ authorizationId: 'AUTH-1', minor: 100_00 }], tries: 0, failures: 0 },
  };
  const ofEarlierHold = (details: Partial<Capture>) => ({
    ...reauthorized,
    captures: [capture(40_00, { authorizationId: 'AUTH-1', ...details })],
  });
  expect(amountsOf(ofEarlierHold({ status: 'denied' }))).toMatchObject({ authorized: 100_00, captured: 0 });
  expect(amountsOf(ofEarlierHold({ status: 'completed' }))).toMatchObject({ authorized: 140_00 });
  expect(amountsOf(ofEarlierHold({ status: 'pending' }))).toMatchObject({ authorized: 140_00 });
});

it.each([
  ['of the present hold', 'AUTH-2'],
  ['of a hold that is none of its own', 'AUTH-9'],
  ['whose hold is not told', undefined],
])('a capture %s makes a reauthorized hold no larger', (_which, authorizationId) => {
  const reauthorized = {
    ...payment('authorized'),
    authorization: { ...authorization, authorizationId: 'AUTH-2' },
    reauthorizations: { earlier: [{ authorizationId: 'AUTH-1', minor: 100_00 }], tries: 0, failures: 0 },
  };
  const captures = [capture(40_00, { ...(authorizationId !== undefined && { authorizationId }) })];
  expect(amountsOf({ ...reauthorized, captures })).toMatchObject({ authorized: 100_00, captured: 40_00 });
});

it('a capture of a hold that was reauthorized under its own id belongs to the present hold', () => {
  const reauthorized = {
    ...payment('authorized'),
    reauthorizations: { earlier: [{ authorizationId: 'AUTH-1', minor: 100_00 }], tries: 0, failures: 0 },
    captures: [capture(40_00, { authorizationId: 'AUTH-1' })],
  };
  expect(amountsOf(reauthorized)).toMatchObject({ authorized: 100_00, capturable: 60_00 });
});

it('a final capture that was denied leaves its amount to be captured beside a pending one', () => {
  const captures = [
    capture(60_00, { status: 'pending' }),
    capture(40_00, { captureId: 'CAP-2', final: true, status: 'denied' }),
  ];
  const beside = { ...settled(payment('capturing', { holdsRest: true })), captures };
  expect(amountsOf(beside)).toMatchObject({ pending: 60_00, capturable: 40_00 });
});

it('a hold of which others have captured more than was ordered has nothing left', () => {
  const captures = [capture(115_00, { status: 'pending' })];
  const beside = { ...settled(payment('capturing', { holdsRest: true })), captures };
  expect(amountsOf(beside)).toMatchObject({ pending: 115_00, capturable: 0 });
  expect(amountsOf({ ...beside, status: 'authorized' }).capturable).toBe(0);
  expect(
    amountsOf({ ...beside, status: 'captured', released: true, captures: [capture(115_00)] }).released,
  ).toBe(0);
  expect(amountsOf({ ...beside, holdEnd: 'expired' }).released).toBe(0);
});
