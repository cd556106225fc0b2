import { describe, expect, it } from 'vitest';
import {
  type SubscriptionTransitionResult,
  type SubscriptionEventType,
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
} from '#workflows/lifecycle/subscription/subscription.js';
import { transition } from '#workflows/lifecycle/subscription';
import { inDoubt, inPhase, now, sampleEvents, subscription } from './sample-subscriptions.js';

/**
 * What every state makes of every event. A cell says where the subscription then stands and what is done next: `active`,
 * `active +observe`; `= +lookUp` stays where it is; `=` alone changes something but not the status. `-` told nothing
 * new, `refused` answers a request.
 */
const table = `
event                | creating          | awaiting_approval  | executing         | pending    | active              | suspended             | suspending      | reactivating       | cancelling      | needs_review        | billing_balance | setting_balance
stepDeclined         | declined          | -                  | declined          | -          | -                   | -                     | active +observe | suspended +observe | active +observe | active +observe     | active +observe | active +observe
stepDeferred         | =                 | -                  | =                 | -          | -                   | -                     | =               | =                  | =               | suspending          | =               | =
outcomeUnknown       | =                 | -                  | =                 | -          | -                   | -                     | =               | =                  | =               | =                   | =               | =
stepProvedUndone     | = +perform        | -                  | = +perform        | -          | -                   | -                     | = +perform      | = +perform         | = +perform      | suspending +perform | = +perform      | = +perform
lookInconclusive     | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
stepDecidedUndone    | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | active +observe     | -               | -
stepCameDue          | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
reviewCameDue        | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
reviewDecided        | refused           | refused            | refused           | refused    | refused             | refused               | refused         | refused            | refused         | = +verifyDecision   | refused         | refused
decisionRefused      | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | refused             | -               | -
agreementCreated     | awaiting_approval | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
creationLost         | = +perform        | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
agreementExecuted    | -                 | -                  | active            | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
approvalFoundMissing | -                 | -                  | awaiting_approval | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
agreementSuspended   | -                 | -                  | -                 | -          | -                   | -                     | suspended       | -                  | -               | suspended           | -               | -
agreementReactivated | -                 | -                  | -                 | -          | -                   | -                     | -               | active +observe    | -               | -                   | -               | -
agreementCancelled   | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | cancelled       | -                   | -               | -
balanceBilled        | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | active +observe | -
balanceSet           | -                 | -                  | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | active +observe
agreementObserved    | -                 | -                  | -                 | suspended  | suspended           | -                     | -               | -                  | -               | -                   | -               | -
observationFailed    | -                 | -                  | -                 | =          | =                   | =                     | -               | -                  | -               | -                   | -               | -
payerApproved        | -                 | executing +perform | =                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
payerCancelled       | -                 | cancelled          | =                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
suspendRequested     | refused           | refused            | refused           | refused    | suspending +perform | refused               | refused         | refused            | refused         | refused             | refused         | refused
reactivateRequested  | refused           | refused            | refused           | refused    | refused             | reactivating +perform | refused         | refused            | refused         | refused             | refused         | refused
cancelRequested      | refused           | cancelled          | refused           | refused    | cancelling +perform | cancelling +perform   | refused         | refused            | refused         | refused             | refused         | refused
billBalanceRequested | refused           | refused            | refused           | refused    | refused             | refused               | refused         | refused            | refused         | refused             | refused         | refused
setBalanceRequested  | refused           | refused            | refused           | refused    | refused             | refused               | refused         | refused            | refused         | refused             | refused         | refused
providerNotified     | -                 | -                  | -                 | = +observe | = +observe          | = +observe            | -               | -                  | -               | -                   | -               | -
approvalTimedOut     | -                 | executing +perform | -                 | -          | -                   | -                     | -               | -                  | -               | -                   | -               | -
renewalCameDue       | -                 | -                  | -                 | -          | = +observe          | -                     | -               | -                  | -               | -                   | -               | -
pollCameDue          | -                 | executing +perform | -                 | = +observe | = +observe          | = +observe            | -               | -                  | -               | -                   | -               | -
`;

/** The same by the step that is open, once it is in doubt, to be repeated, or before a person. */
const byOpenStep = `
event                | execution in doubt | execution put off | execution reviewed | change in doubt | change put off  | change reviewed     | billing in doubt | billing reviewed         | setting in doubt | setting reviewed
stepDeclined         | declined           | declined          | declined           | active +observe | active +observe | active +observe     | active +observe  | active +observe          | active +observe  | active +observe
stepDeferred         | =                  | =                 | executing          | =               | =               | suspending          | =                | billing_balance          | =                | setting_balance
outcomeUnknown       | =                  | =                 | =                  | =               | =               | =                   | =                | =                        | =                | =
stepProvedUndone     | = +perform         | = +perform        | executing +perform | = +perform      | = +perform      | suspending +perform | = +perform       | billing_balance +perform | = +perform       | setting_balance +perform
lookInconclusive     | =                  | -                 | =                  | =               | -               | =                   | =                | =                        | =                | =
stepDecidedUndone    | -                  | -                 | declined           | -               | -               | active +observe     | -                | active +observe          | -                | active +observe
stepCameDue          | = +lookUp          | = +perform        | = +lookUp          | = +lookUp       | = +perform      | = +lookUp           | = +lookUp        | = +lookUp                | = +lookUp        | = +lookUp
reviewCameDue        | needs_review       | -                 | -                  | needs_review    | -               | -                   | needs_review     | -                        | needs_review     | -
reviewDecided        | refused            | refused           | = +verifyDecision  | refused         | refused         | = +verifyDecision   | refused          | = +verifyDecision        | refused          | = +verifyDecision
decisionRefused      | -                  | -                 | refused            | -               | -               | refused             | -                | refused                  | -                | refused
agreementCreated     | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
creationLost         | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
agreementExecuted    | active             | active            | active             | -               | -               | -                   | -                | -                        | -                | -
approvalFoundMissing | awaiting_approval  | awaiting_approval | awaiting_approval  | -               | -               | -                   | -                | -                        | -                | -
agreementSuspended   | -                  | -                 | -                  | suspended       | suspended       | suspended           | -                | -                        | -                | -
agreementReactivated | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
agreementCancelled   | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
balanceBilled        | -                  | -                 | -                  | -               | -               | -                   | active +observe  | active +observe          | -                | -
balanceSet           | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | active +observe  | active +observe
agreementObserved    | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
observationFailed    | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
payerApproved        | =                  | =                 | executing          | -               | -               | -                   | -                | -                        | -                | -
payerCancelled       | =                  | =                 | -                  | -               | -               | -                   | -                | -                        | -                | -
suspendRequested     | refused            | refused           | refused            | refused         | refused         | refused             | refused          | refused                  | refused          | refused
reactivateRequested  | refused            | refused           | refused            | refused         | refused         | refused             | refused          | refused                  | refused          | refused
cancelRequested      | refused            | refused           | refused            | refused         | refused         | refused             | refused          | refused                  | refused          | refused
billBalanceRequested | refused            | refused           | refused            | refused         | refused         | refused             | refused          | refused                  | refused          | refused
setBalanceRequested  | refused            | refused           | refused            | refused         | refused         | refused             | refused          | refused                  | refused          | refused
providerNotified     | = +lookUp          | -                 | = +lookUp          | = +lookUp       | -               | = +lookUp           | = +lookUp        | = +lookUp                | = +lookUp        | = +lookUp
approvalTimedOut     | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
renewalCameDue       | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
pollCameDue          | -                  | -                 | -                  | -               | -               | -                   | -                | -                        | -                | -
`;

/** After the end of an executed agreement it is read on; of one that never was, there is nothing to read. */
const afterTheEnd = `
event                | cancelled  | expired    | cancelled before approval | declined | lapsed
agreementObserved    | -          | -          | conflict                  | -        | -
observationFailed    | =          | =          | =                         | -        | -
suspendRequested     | refused    | refused    | refused                   | refused  | refused
reactivateRequested  | refused    | refused    | refused                   | refused  | refused
cancelRequested      | refused    | refused    | refused                   | refused  | refused
billBalanceRequested | refused    | refused    | refused                   | refused  | refused
setBalanceRequested  | refused    | refused    | refused                   | refused  | refused
reviewDecided        | refused    | refused    | refused                   | refused  | refused
providerNotified     | = +observe | = +observe | -                         | -        | -
pollCameDue          | = +observe | = +observe | = +observe                | -        | -
`;

const executing = subscription('executing');
const suspending = subscription('suspending');
const billing = subscription('billing_balance');
const setting = subscription('setting_balance');

const situations: Readonly<Record<string, SubscriptionState>> = {
  ...Object.fromEntries(subscriptionStatuses.map((status) => [status, subscription(status)])),
  'execution in doubt': inDoubt(executing),
  'execution put off': inPhase(executing, 'retry'),
  'execution reviewed': { ...inDoubt(executing), status: 'needs_review' },
  'billing in doubt': inDoubt(billing),
  'billing reviewed': { ...inDoubt(billing), status: 'needs_review' },
  'setting in doubt': inDoubt(setting),
  'setting reviewed': { ...inDoubt(setting), status: 'needs_review' },
  'change in doubt': inDoubt(suspending),
  'change put off': inPhase(suspending, 'retry'),
  'change reviewed': { ...inDoubt(suspending), status: 'needs_review' },
  'cancelled before approval': withoutAgreement(subscription('cancelled')),
};

function withoutAgreement({
  agreementId: _none,
  billing: _never,
  ...state
}: SubscriptionState): SubscriptionState {
  return state;
}

interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function cellsOf(text: string): Cells {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return { columns: header.slice(1), rows };
}

const tables = [table, byOpenStep, afterTheEnd].map(cellsOf);

function read(before: SubscriptionState, result: SubscriptionTransitionResult): string {
  if (result.kind === 'stale') return '-';
  if (result.kind !== 'moved') return result.kind;
  const where = result.state.status === before.status ? '=' : result.state.status;
  return result.effect ? `${where} +${result.effect.type}` : where;
}

describe('the table of a subscription', () => {
  it('names every event and every status with its details', () => {
    const [byStatus, bySteps] = tables;
    for (const cells of [byStatus, bySteps]) {
      const named = cells?.rows.map(([event = '']) => event) ?? [];
      expect(named.toSorted()).toEqual(Object.keys(sampleEvents).toSorted());
    }
    const named = new Set(tables.flatMap(({ columns }) => columns));
    expect([...named].toSorted()).toEqual(Object.keys(situations).toSorted());
  });

  it.each(
    tables.flatMap(({ columns, rows }) =>
      rows.flatMap(([event = '', ...cells]) =>
        cells.map((cell, n) => [event, columns[n] ?? '', cell] as const),
      ),
    ),
  )('%s in %s: %s', (event, situation, expected) => {
    const before = situations[situation] as SubscriptionState;
    const result = transition(before, sampleEvents[event as SubscriptionEventType], now);
    expect(read(before, result)).toBe(expected);
  });

  it.each(subscriptionStatuses.filter(isTerminal))(
    'nothing leaves %s, and no step begins there',
    (status) => {
      const before = subscription(status);
      for (const event of Object.values(sampleEvents)) {
        const result = transition(before, event, now);
        expect([event.type, result.state.status]).toEqual([event.type, status]);
        if (result.kind === 'moved') expect([undefined, 'observe']).toContain(result.effect?.type);
      }
    },
  );
});
