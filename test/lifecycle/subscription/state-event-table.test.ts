import { describe, expect, it } from 'vitest';
import {
  type SubscriptionDecision,
  type SubscriptionEventType,
  type SubscriptionState,
  type SubscriptionStatus,
  isTerminal,
  subscriptionStatuses,
} from '../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { decide } from '../../../libs/workflows/src/lifecycle/subscription/transition.js';
import { now, sampleEvents, subscription } from './sample-subscriptions.js';

/**
 * What every state makes of every event. A cell says where the subscription then stands and what is done next: `active`,
 * `active +observe`; `= +lookUp` stays where it is; `=` alone changes something but not the status. `-` told nothing
 * new, `refused` answers a request.
 */
const table = `
event                | creating          | awaiting_approval  | executing         | pending    | active               | suspended              | suspending       | reactivating       | cancelling       | needs_review
stepDeclined         | declined          | -                  | declined          | -          | -                    | -                      | active +observe  | suspended +observe | active +observe  | active +observe
stepDeferred         | =                 | -                  | =                 | -          | -                    | -                      | =                | =                  | =                | suspending
outcomeUnknown       | =                 | -                  | =                 | -          | -                    | -                      | =                | =                  | =                | =
stepProvedUndone     | = +perform        | -                  | = +perform        | -          | -                    | -                      | = +perform       | = +perform         | = +perform       | suspending +perform
lookInconclusive     | -                 | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | -
stepDecidedUndone    | -                 | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | active +observe
stepCameDue          | -                 | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | -
reviewDecided        | refused           | refused            | refused           | refused    | refused              | refused                | refused          | refused            | refused          | = +verifyDecision
decisionRefused      | -                 | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | refused
agreementCreated     | awaiting_approval | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | -
creationLost         | = +perform        | -                  | -                 | -          | -                    | -                      | -                | -                  | -                | -
agreementExecuted    | -                 | -                  | active            | -          | -                    | -                      | -                | -                  | -                | -
approvalFoundMissing | -                 | -                  | awaiting_approval | -          | -                    | -                      | -                | -                  | -                | -
agreementSuspended   | -                 | -                  | -                 | -          | -                    | -                      | suspended        | -                  | -                | suspended
agreementReactivated | -                 | -                  | -                 | -          | -                    | -                      | -                | active +observe    | -                | -
agreementCancelled   | -                 | -                  | -                 | -          | -                    | -                      | -                | -                  | cancelled        | -
agreementObserved    | -                 | -                  | -                 | suspended  | suspended            | -                      | -                | -                  | -                | -
observationFailed    | -                 | -                  | -                 | =          | =                    | =                      | -                | -                  | -                | -
payerApproved        | -                 | executing +perform | =                 | -          | -                    | -                      | -                | -                  | -                | -
payerCancelled       | -                 | cancelled          | -                 | -          | -                    | -                      | -                | -                  | -                | -
suspendRequested     | refused           | refused            | refused           | refused    | suspending +perform  | refused                | refused          | refused            | refused          | refused
reactivateRequested  | refused           | refused            | refused           | refused    | refused              | reactivating +perform  | refused          | refused            | refused          | refused
cancelRequested      | refused           | cancelled          | refused           | refused    | cancelling +perform  | cancelling +perform    | refused          | refused            | refused          | refused
providerNotified     | -                 | -                  | -                 | = +observe | = +observe           | = +observe             | -                | -                  | -                | -
approvalTimedOut     | -                 | executing +perform | -                 | -          | -                    | -                      | -                | -                  | -                | -
renewalCameDue       | -                 | -                  | -                 | -          | = +observe           | -                      | -                | -                  | -                | -
pollCameDue          | -                 | executing +perform | -                 | = +observe | = +observe           | = +observe             | -                | -                  | -                | -
`;

const [header = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const statuses = header.slice(1) as SubscriptionStatus[];

function read(before: SubscriptionState, decision: SubscriptionDecision): string {
  if (decision.kind === 'stale') return '-';
  if (decision.kind !== 'moved') return decision.kind;
  const where = decision.state.status === before.status ? '=' : decision.state.status;
  return decision.effect ? `${where} +${decision.effect.type}` : where;
}

describe('the table of a subscription', () => {
  it('names every event and every status', () => {
    expect(rows.map(([event = '']) => event).toSorted()).toEqual(Object.keys(sampleEvents).toSorted());
    expect([...statuses, ...subscriptionStatuses.filter(isTerminal)].toSorted()).toEqual(
      [...subscriptionStatuses].toSorted(),
    );
  });

  it.each(
    rows.flatMap(([event = '', ...cells]) => cells.map((cell, n) => [event, statuses[n], cell] as const)),
  )('%s in %s: %s', (event, status, expected) => {
    const before = subscription(status ?? 'creating');
    const decision = decide(before, sampleEvents[event as SubscriptionEventType], now);
    expect(read(before, decision)).toBe(expected);
  });

  it.each(subscriptionStatuses.filter(isTerminal))('nothing moves one that is %s', (status) => {
    const before = subscription(status);
    for (const event of Object.values(sampleEvents)) {
      const decision = decide(before, event, now);
      expect([event.type, decision.kind === 'moved']).toEqual([event.type, false]);
      expect(decision.state).toBe(before);
    }
  });
});
