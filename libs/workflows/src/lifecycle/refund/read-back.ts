import { type Money, moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import type { RefundTransitionResult, RefundFacts, RefundState } from './refund.js';
import { statusShown } from './status-shown.js';

const notOurs = 'The provider shows it as a refund of money that is none of our payments’.';

/** What a read tells of a refund that has not ended: the provider's word is the truth, unless it contradicts itself. */
export function takeFacts(state: RefundState, facts: RefundFacts, now: Instant): RefundTransitionResult {
  const paymentId = facts.paymentId ?? requestedFrom(state);
  if (paymentId === undefined)
    return { kind: 'moved', state: { ...state, status: 'unfounded', reason: notOurs } };
  if (facts.madeBy !== undefined && state.claim.kind !== 'request') {
    if (facts.isMakerOpen) return { kind: 'stale', state };
    const reason = `It is our own refund ${facts.madeBy}, and was not made elsewhere.`;
    return { kind: 'moved', state: { ...state, status: 'unfounded', reason } };
  }
  const contradiction = contradictionWith(state, facts);
  if (contradiction !== undefined) {
    return contradiction === state.contradiction
      ? { kind: 'stale', state }
      : { kind: 'conflict', state: { ...state, contradiction }, reason: contradiction };
  }
  const { collected, amount } = facts;
  const read: RefundState = {
    ...state,
    paymentId,
    collected: { kind: collected.kind, id: collected.id },
    ...(amount && { amount }),
  };
  return { kind: 'moved', state: enterStatusShown(read, facts, now) };
}

/** A refund that has ended keeps its status; what the provider shows against that is recorded, not followed. */
export function contradictionIn(state: RefundState, facts: RefundFacts): RefundTransitionResult {
  const shown = statusShown(facts.state);
  const reason =
    contradictionWith(state, facts) ??
    (shown !== 'pending' && shown !== state.status
      ? `It was ${state.status} and is now shown as ${shown}.`
      : undefined);
  if (reason === undefined || reason === state.contradiction) return { kind: 'stale', state };
  return { kind: 'conflict', state: { ...state, contradiction: reason }, reason };
}

/** The end stands. How much went back was not known when it was told, and is a proof of its own when it is. */
export function takeLateAmount(state: RefundState, facts: RefundFacts): RefundTransitionResult {
  const { amount } = facts;
  const isNews = !state.amount && amount && statusShown(facts.state) === state.status;
  return isNews && contradictionWith(state, facts) === undefined
    ? { kind: 'moved', state: { ...state, amount } }
    : contradictionIn(state, facts);
}

function enterStatusShown(state: RefundState, facts: RefundFacts, now: Instant): RefundState {
  const status = statusShown(facts.state);
  if (status !== 'completed') return { ...state, status };
  const { uncorroboratedSince = now, ...rest } = state;
  const isLongEnough = now - uncorroboratedSince >= state.patience.outcomeHorizonMs;
  // Money that has gone back shows on what collected it; as long as it does not, one of the two reads may lag.
  const isInDoubt = !hasGivenBack(facts) || facts.isAmountInDoubt === true;
  if (isInDoubt && !isLongEnough) return { ...state, status: 'pending', uncorroboratedSince };
  return { ...rest, status, refundedAt: facts.settledAt ?? now };
}

/** Whose money our own request gives back, nobody has to tell us. */
function requestedFrom({ claim, paymentId }: RefundState): string | undefined {
  return claim.kind === 'request' ? paymentId : undefined;
}

function hasGivenBack({ collected: { state } }: RefundFacts): boolean {
  // A state that we do not know excludes nothing.
  return state !== 'pending' && state !== 'completed' && state !== 'denied';
}

function contradictionWith(state: RefundState, { amount, collected }: RefundFacts): string | undefined {
  if (state.collected && state.collected.id !== collected.id) {
    return `It gave back from ${state.collected.id} and is now shown to give back from ${collected.id}.`;
  }
  if (!amount) return undefined;
  if (state.amount && !isSame(state.amount, amount)) {
    return `It was of ${moneyText(state.amount)} and is now shown of ${moneyText(amount)}.`;
  }
  if (amount.currency !== collected.amount.currency || amount.minor > collected.amount.minor) {
    return `It is shown of ${moneyText(amount)}, and only ${moneyText(collected.amount)} were collected.`;
  }
  return undefined;
}

function isSame(one: Money, other: Money): boolean {
  return one.minor === other.minor && one.currency === other.currency;
}
