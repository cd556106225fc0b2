import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  type ProviderFacts,
  type PaymentEvent,
  transition,
  allowedActions,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { after, authorization, capture, day, facts, now, payment } from './sample-payments.js';

const observed = (shown: Partial<ProviderFacts> = {}): PaymentEvent => ({
  type: 'providerObserved',
  facts: facts(shown),
});

describe('a hold of another amount than was ordered', () => {
  const reviewed = after(payment('authorizing'), [
    {
      type: 'authorizationGranted',
      providerPaymentId: 'PAY-1',
      authorization: { ...authorization, minor: 90_00 },
    },
  ]);

  it('goes to review, and neither the order service nor a policy captures or voids it', () => {
    expect(reviewed).toMatchObject({
      status: 'needs_review',
      reason: 'The provider authorized another amount than was ordered.',
    });
    expect(amountsOf(reviewed).capturable).toBe(0);
    expect(allowedActions(reviewed, now)).toEqual([]);
  });

  it('is polled, and never waits for an instant at which nothing happens', () => {
    expect(nextDeadline(reviewed)?.event).toEqual({ type: 'pollCameDue' });
    expect(transition(reviewed, { type: 'pollCameDue' }, now)).toMatchObject({
      kind: 'moved',
      effect: { type: 'observe' },
    });
  });

  it.each([
    ['voided', 'voided'],
    ['expired', 'expired'],
  ])('ends when it is %s at the provider', (shown, status) => {
    expect(after(reviewed, [shows(shown)]).status).toBe(status);
  });

  it('ends when its window has passed', () => {
    expect(after(reviewed, [shows('authorized'), now + 30 * day]).status).toBe('expired');
  });

  it('ends as captured when a person captured it at the provider, and keeps showing a partial capture', () => {
    const partly = after(reviewed, [shows('partially_captured', [capture(40_00)])]);
    expect(partly.status).toBe('needs_review');
    expect(partly.reason).toBe(reviewed.reason);
    expect(
      after(partly, [
        shows('captured', [capture(40_00), capture(50_00, { captureId: 'CAP-2', final: true })]),
      ]),
    ).toMatchObject({
      status: 'captured',
    });
  });

  it('that is kept is captured by its policy once', () => {
    const automatic = { ...reviewed.order, capturePolicy: { mode: 'automatic' } as const };
    const keep: PaymentEvent = {
      type: 'reviewDecided',
      commandId: 'cmd_1',
      decision: 'keep',
      reason: 'seen',
    };
    const kept = transition({ ...reviewed, order: automatic }, keep, now);
    expect(kept).toMatchObject({ effect: { step: { commandId: 'pay_1:capture-policy', minor: 90_00 } } });
    const tried = transition({ ...reviewed, order: automatic, orderedCaptureTried: true }, keep, now);
    expect(tried).toEqual({ kind: 'moved', state: tried.state });
    expect(tried.state.status).toBe('authorized');
  });
});

function shows(state: string, captures: ProviderFacts['captures'] = []): PaymentEvent {
  return observed({ authorization: { ...authorization, minor: 90_00, state }, captures });
}
