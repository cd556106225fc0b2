import { expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import {
  type HonourPolicy,
  type PaymentState,
  type PaymentEvent,
  reauthorizationAt,
  transition,
} from '#workflows/lifecycle/payment';
import { after, authorization, day, hour, payment, dayOfHold } from './sample-payments.js';

const held = (honourPolicy: Partial<HonourPolicy> = {}) =>
  payment('authorized', { honourPolicy: { action: 'none', reauthorize: 'none', ...honourPolicy } });
const refused: PaymentEvent = { type: 'stepDeclined', reason: 'no' };

function reauthorizedOn(state: PaymentState, n: number, validUntil = authorization.validUntil): PaymentState {
  const at = dayOfHold(n);
  const reauthorized = { ...authorization, authorizationId: 'AUTH-2', createdAt: at, validUntil };
  return after(
    state,
    [{ type: 'reauthorizeRequested', commandId: 'cmd_2' }, at],
    [{ type: 'authorizationRenewed', authorization: reauthorized, heldAt: at }, at],
  );
}

/** What the clock alone brings about, by the day of the first hold, until a step begins. */
function comesDue(begun: PaymentState): [number, string][] {
  const due: [number, string][] = [];
  let state = begun;
  for (let next = nextDeadline(state); next && !state.openStep; next = nextDeadline(state)) {
    due.push([(next.at - authorization.createdAt) / day, next.event.type]);
    if (next.event.type === 'authorizationLapsed') break;
    state = after(state, [next.event, next.at]);
  }
  return due;
}

it('the honour policy captures a reauthorized hold as it has tried to capture the first one', () => {
  const tried = after(
    held({ action: 'capture' }),
    [{ type: 'honourPeriodNearedEnd' }, dayOfHold(2)],
    [{ type: 'honourCaptureCameDue' }, dayOfHold(2.5)],
    [refused, dayOfHold(2.5)],
  );
  expect(comesDue(tried)).not.toContainEqual([2.5, 'honourCaptureCameDue']);
  expect(comesDue(reauthorizedOn(tried, 3))).toContainEqual([5.5, 'honourCaptureCameDue']);
});

it('the expiry policy acts again on a reauthorized hold if its window is longer, and only then', () => {
  const kept = after(held(), [{ type: 'settlementCameDue' }, dayOfHold(28)], [refused, dayOfHold(28)]);
  const sameWindow = reauthorizedOn(kept, 28.5);
  expect(comesDue(sameWindow)).not.toContainEqual([28, 'settlementCameDue']);
  const longer = reauthorizedOn(kept, 28.5, dayOfHold(28 + 29));
  expect(comesDue(longer)).toContainEqual([28 + 28, 'settlementCameDue']);
});

it('the expiry policy acts on a reauthorized hold if it has not acted before', () => {
  expect(comesDue(reauthorizedOn(held(), 4))).toContainEqual([28, 'settlementCameDue']);
});

it('after a reauthorization the policy waits for one provider hour again, and not as after the failures before it', () => {
  const tooSoon: PaymentEvent = { type: 'reauthorizationTooSoon', reason: 'too soon' };
  const asked: PaymentEvent = { type: 'reauthorizeRequested', commandId: 'cmd_3' };
  const policy = held({ reauthorize: 'as_allowed' });
  const failed = after(
    policy,
    [asked, dayOfHold(3)],
    [tooSoon, dayOfHold(3)],
    [asked, dayOfHold(3)],
    [tooSoon, dayOfHold(3)],
  );
  expect(reauthorizationAt(failed)).toBe(dayOfHold(3) + 2 * hour);
  const again = after(reauthorizedOn(failed, 4), [asked, dayOfHold(8)], [tooSoon, dayOfHold(8)]);
  expect(reauthorizationAt(again)).toBe(dayOfHold(8) + hour);
});

it('a reauthorization by the order’s policy that is put off goes on: only captures of policies give way', () => {
  const held = payment('authorized', { rules: 2, honourPolicy: { action: 'none', reauthorize: 'once' } });
  const begun = after(held, [{ type: 'reauthorizationCameDue' }, dayOfHold(3)]);
  const deferred = after(begun, [{ type: 'stepDeferred', retryAt: dayOfHold(3) + hour }, dayOfHold(3)]);
  expect(deferred).toMatchObject({
    status: 'reauthorizing',
    openStep: { phase: 'retry', step: { commandId: 'pay_1:reauthorization-policy' } },
  });
  const asked: PaymentEvent = { type: 'voidRequested', commandId: 'cmd_9' };
  expect(transition(deferred, asked, dayOfHold(3)).kind).toBe('refused');
  expect(nextDeadline(deferred)).toMatchObject({ event: { type: 'stepCameDue' } });
});
