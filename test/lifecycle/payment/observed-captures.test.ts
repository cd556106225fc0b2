import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  finalParts,
  type Capture,
  type PaymentState,
  type ProviderFacts,
  type PaymentEvent,
  transition,
} from '#workflows/lifecycle/payment';
import { after, authorization, capture, day, facts, now, payment, sale } from './sample-payments.js';

type Shown = NonNullable<ProviderFacts['authorization']>;
const observed = (shown: Partial<Shown>, captures: readonly Capture[] = []): PaymentEvent => ({
  type: 'providerObserved',
  facts: facts({
    authorization: { ...authorization, state: 'authorized', ...shown },
    captures: [...captures],
  }),
});
const held = (captures: readonly Capture[]): PaymentState => ({ ...payment('authorized'), captures });

describe('a capture that a read shows as ended', () => {
  it('resolves itself, and no other', () => {
    const first = capture(40_00);
    const second = capture(60_00, { captureId: 'CAP-2', commandId: 'cmd_2', status: 'pending' });
    const waiting = { ...held([first, second]), status: 'capturing' } as const;
    const read = observed({ state: 'captured' }, [first, { ...second, status: 'completed' }]);
    expect(after(waiting, [read])).toMatchObject({
      status: 'captured',
      captures: [first, { ...second, status: 'completed' }],
    });
  });

  it.each([
    ['takes the place of what an operator has named for its command', { isOnWord: true }, 1],
    ['stands beside one of its command that the provider has answered with', {}, 2],
    ['stands beside what was named for another command', { isOnWord: true, commandId: 'cmd_7' }, 2],
  ])('%s', (_what, details, count) => {
    const known = capture(40_00, { captureId: 'CAP-8', ...details });
    const shown = capture(40_00, { captureId: 'CAP-9' });
    const read = observed({ state: 'partially_captured' }, [shown]);
    expect(after(held([known]), [read]).captures).toHaveLength(count);
  });
});

it('a capture made elsewhere stands beside one that an operator has named without a command', () => {
  const { commandId: _none, ...elsewhere } = capture(40_00, { captureId: 'CAP-9' });
  const named = { ...elsewhere, captureId: 'CAP-8', isOnWord: true } as const;
  const read = observed({ state: 'partially_captured' }, [elsewhere]);
  expect(after(held([named]), [read]).captures).toEqual([named, elsewhere]);
});

it('only what the provider has shown as ended is final in the book: no pending part, and none on an operator’s word', () => {
  const captures = [
    capture(40_00),
    capture(10_00, { captureId: 'CAP-2', status: 'pending' }),
    capture(10_00, { captureId: 'CAP-3', isOnWord: true }),
    capture(10_00, { captureId: 'CAP-4', status: 'denied' }),
  ];
  const final = [
    ['CAP-1', 'completed'],
    ['CAP-4', 'denied'],
  ];
  expect([...finalParts({ captures })]).toEqual(final);
  expect([...finalParts({ captures, sale })]).toEqual([...final, ['SALE-1', 'completed']]);
  expect([...finalParts({ captures, sale: { ...sale, status: 'pending' } })]).toEqual(final);
});

describe('a hold that is shown with another amount', () => {
  it.each([
    ['as it stands', { state: 'authorized', changedAt: authorization.createdAt }],
    ['as voided, by a read that does not tell when it changed', { state: 'voided' }],
  ])('%s is recorded, and not followed', (_what, shown) => {
    expect(transition(held([]), observed({ ...shown, minor: 80_00 }), now).kind).toBe('conflict');
  });

  it.each([
    ['voided', 'voided'],
    ['denied', 'declined'],
    ['expired', 'expired'],
  ])('as %s ends all the same', (state, end) => {
    const shown = { state, minor: 80_00, changedAt: authorization.createdAt };
    expect(after(held([]), [observed(shown)]).status).toBe(end);
  });
});

it('a hold that is shown as captured long after its window ends by the captures that are known', () => {
  const captures = [capture(40_00)];
  const late = authorization.validUntil + 2 * day;
  const lapsed = { ...payment('partially_captured'), lapsed: true };
  expect(after(lapsed, [observed({ state: 'captured' }, captures), late])).toMatchObject({
    status: 'captured',
    released: true,
  });
});

describe('a payment that has ended captured', () => {
  it('is not contradicted by a capture that was denied, nor by a read without its hold', () => {
    const captured = payment('captured');
    const denied = capture(10_00, { captureId: 'CAP-2', status: 'denied' });
    const whole = capture(100_00, { final: true });
    expect(transition(captured, observed({ state: 'captured' }, [whole, denied]), now).kind).toBe('stale');
    const { authorization: _none, ...without } = facts();
    expect(transition(captured, { type: 'providerObserved', facts: without }, now).kind).toBe('stale');
  });
});

describe('a sale of another amount, which is under review', () => {
  it('is not moved by a read that shows it as it is known', () => {
    const asked: PaymentState = {
      ...payment('completed'),
      status: 'needs_review',
      sale: { ...sale, minor: 80_00 },
    };
    const shown = { paymentState: 'approved', captures: [], sale: { ...sale, minor: 80_00 } };
    expect(transition(asked, { type: 'providerObserved', facts: shown }, now)).toEqual({
      kind: 'stale',
      state: asked,
    });
  });
});

describe('captures that others have made', () => {
  const theirs: Capture = { captureId: 'CAP-9', minor: 10_00, status: 'completed', final: false };

  it('before the hold was known are taken, and ours are left to the step that made them', () => {
    const read = observed({ state: 'partially_captured' }, [capture(40_00), theirs]);
    expect(after(payment('awaiting_approval'), [read]).captures).toEqual([theirs]);
  });

  it('are recorded during a review, which goes on', () => {
    const another = { ...authorization, minor: 80_00 };
    const asked: PaymentState = { ...held([]), authorization: another, status: 'needs_review' };
    const read = observed({ state: 'partially_captured', minor: 80_00 }, [theirs]);
    expect(after(asked, [read])).toMatchObject({ status: 'needs_review', captures: [theirs] });
  });

  it('and that a void has met decide how the payment ends', () => {
    const voided = after(payment('voiding'), [{ type: 'voidConfirmed', shown: [theirs] }]);
    expect(voided).toMatchObject({ status: 'captured', captures: [theirs] });
    expect(amountsOf(voided)).toMatchObject({ captured: 10_00, released: 90_00 });
  });

  it('of all of the hold release nothing, even if it is read after its window', () => {
    const whole = { ...theirs, minor: 100_00 };
    const read = observed({ state: 'captured' }, [whole]);
    const lapsed = { ...held([]), lapsed: true };
    const late = authorization.validUntil + 2 * day;
    expect(after(lapsed, [read, late])).toMatchObject({ status: 'captured', released: false });
  });
});
