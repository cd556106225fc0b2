import { type Money, moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import type { RefundTransitionResult, RefundFacts, RefundState } from './refund.js';
import { statusShown } from './status-shown.js';

const notOurs = 'The provider shows it as a refund of money that is none of our payments’.';

/** Takes a read of an open refund. The provider's state is followed, unless it contradicts itself. */
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
  const { collected } = facts;
  const read: RefundState = {
    ...state,
    paymentId,
    collected: { kind: collected.kind, id: collected.id },
    ...amountsIn(facts),
  };
  return { kind: 'moved', state: enterStatusShown(read, facts, now) };
}

/** An ended refund keeps its status. A contradicting read is recorded, not followed. */
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

/** The end does not change. The amounts were unknown at the end and are added when the provider shows them. */
export function takeLateAmount(state: RefundState, facts: RefundFacts): RefundTransitionResult {
  const amounts = amountsIn(facts);
  const isNews = amounts.amount || (amounts.chargedBack && !state.chargedBack);
  const isTaken = !state.amount && isNews && statusShown(facts.state) === state.status;
  return isTaken && contradictionWith(state, facts) === undefined
    ? { kind: 'moved', state: { ...state, ...amounts } }
    : contradictionIn(state, facts);
}

function enterStatusShown(state: RefundState, facts: RefundFacts, now: Instant): RefundState {
  const status = statusShown(facts.state);
  if (status !== 'completed') return { ...state, status };
  const { uncorroboratedSince = now, ...rest } = state;
  const isLongEnough = now - uncorroboratedSince >= state.patience.outcomeHorizonMs;
  // The capture or sale must show the returned money too; until then one of the two reads may lag.
  const isInDoubt = !hasGivenBack(facts) || facts.isAmountInDoubt === true;
  if (isInDoubt && !isLongEnough) return { ...state, status: 'pending', uncorroboratedSince };
  return { ...rest, status, refundedAt: facts.settledAt ?? now };
}

function amountsIn({ amount, chargedBack }: RefundFacts): Pick<RefundFacts, 'amount' | 'chargedBack'> {
  return { ...(amount && { amount }), ...(chargedBack && { chargedBack }) };
}

/** For our own request the payment is known without the provider. */
function requestedFrom({ claim, paymentId }: RefundState): string | undefined {
  return claim.kind === 'request' ? paymentId : undefined;
}

function hasGivenBack({ collected: { state } }: RefundFacts): boolean {
  // An unknown state excludes nothing.
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
