import { type Instant, refuse } from '../lifecycle.js';
import { moneyText } from '../money.js';
import { owingBook } from './book.js';
import { steps } from './open-step.js';
import { enter, moved, observe, withoutStep } from './rules.js';
import type {
  ChangeableStatus,
  SubscriptionEvent,
  SubscriptionState,
  SubscriptionTransitionResult,
} from './subscription.js';

type Requested<Type> = Extract<SubscriptionEvent, { type: Type }>;

/** Collects what failed payments have left unpaid. Like the provider, it refuses more than is outstanding. */
export function beginBilling(
  state: SubscriptionState,
  { commandId, note, minor: asked }: Requested<'billBalanceRequested'>,
  from: ChangeableStatus,
  now: Instant,
): SubscriptionTransitionResult {
  const { billing, order } = state;
  const outstanding = billing?.outstandingMinor ?? 0;
  if (outstanding === 0) return refuse(state, 'nothing_outstanding', 'Nothing is outstanding.');
  const minor = asked ?? outstanding;
  if (minor > outstanding) {
    const most = moneyText({ minor: outstanding, currency: order.currency });
    return refuse(state, 'amount_exceeds_outstanding', `Only ${most} is outstanding.`);
  }
  return afterEarlier(steps.begin(state, { type: 'billBalance', commandId, note, minor, from }, now), now);
}

/** Forgives what is outstanding above a balance. Like the provider, it only lowers the balance. */
export function beginSetting(
  state: SubscriptionState,
  { commandId, note, minor }: Requested<'setBalanceRequested'>,
  from: ChangeableStatus,
  now: Instant,
): SubscriptionTransitionResult {
  const { billing, order } = state;
  const outstanding = billing?.outstandingMinor ?? 0;
  if (outstanding === 0) return refuse(state, 'nothing_outstanding', 'Nothing is outstanding.');
  if (minor >= outstanding) {
    const present = moneyText({ minor: outstanding, currency: order.currency });
    return refuse(state, 'balance_not_lower', `The balance can only be lowered, and is ${present}.`);
  }
  return afterEarlier(steps.begin(state, { type: 'setBalance', commandId, note, minor, from }, now), now);
}

/**
 * The sale of an earlier billing that reads do not show yet would be taken for that of this one: it waits until they
 * must.
 */
function afterEarlier(begun: SubscriptionTransitionResult, now: Instant): SubscriptionTransitionResult {
  const { state } = begun;
  const { openStep, balanceSettlesAt = now } = state;
  if (!openStep || balanceSettlesAt <= now) return begun;
  return moved({ ...state, openStep: { ...openStep, phase: 'retry', nextAt: balanceSettlesAt } });
}

/** The provider has done it. Only reads show the payment, which may be pending, and what is outstanding now. */
export function takeBalance(
  state: SubscriptionState,
  _event: unknown,
  now: Instant,
): SubscriptionTransitionResult {
  const step = state.openStep?.step;
  if (!step || !('minor' in step)) return { kind: 'stale', state };
  const balanceSettlesAt = now + state.order.patience.outcomeHorizonMs;
  const billed = { ...enter(withoutStep(state), step.from, now), balanceSettlesAt };
  return observe(owingBook(billed, now), now);
}
