import { describe, expect, it } from 'vitest';
import {
  type TransitionResult,
  type PayoutEvent,
  type PayoutEventType,
  type PayoutState,
  isTerminal,
  payoutStatuses,
} from '#workflows/lifecycle/payout/payout.js';
import { transition } from '#workflows/lifecycle/payout';
import { cancellation, creation, inDoubt, now, payout, sampleEvents } from './sample-payouts.js';

/**
 * What every state makes of every event. A cell says where the payout then stands and what is done next: `= +lookUp`
 * stays where it is; `=` alone changes something but not the status. `-` told nothing new, `refused` answers a request.
 */
const beforeItems = `
event               | creating   | creating in doubt | processing
stepDeclined        | declined   | declined          | -
stepDeferred        | =          | =                 | -
outcomeUnknown      | =          | =                 | -
stepProvedUndone    | -          | -                 | -
lookInconclusive    | -          | -                 | -
stepDecidedUndone   | -          | -                 | -
stepCameDue         | -          | = +perform        | -
reviewCameDue       | -          | needs_review      | -
reviewDecided       | refused    | refused           | refused
decisionRefused     | -          | -                 | -
payoutCreated       | processing | processing        | -
itemCancelled       | -          | -                 | -
payoutObserved      | -          | -                 | completed
observationFailed   | -          | -                 | =
itemCancelRequested | refused    | refused           | refused
providerNotified    | -          | -                 | = +observe
pollCameDue         | -          | -                 | = +observe
`;

const whileItemsAreOpen = `
event               | settling   | cancelling | cancelling in doubt | review of creation | review of cancellation
stepDeclined        | -          | =          | =                   | declined           | settling
stepDeferred        | -          | =          | =                   | =                  | settling
outcomeUnknown      | -          | =          | =                   | =                  | =
stepProvedUndone    | -          | = +perform | = +perform          | -                  | settling +perform
lookInconclusive    | -          | -          | =                   | -                  | =
stepDecidedUndone   | -          | -          | -                   | declined           | settling
stepCameDue         | -          | -          | = +lookUp           | = +perform         | = +lookUp
reviewCameDue       | -          | -          | needs_review        | -                  | -
reviewDecided       | refused    | refused    | refused             | = +verifyDecision  | = +verifyDecision
decisionRefused     | -          | -          | -                   | refused            | refused
payoutCreated       | -          | -          | -                   | processing         | -
itemCancelled       | -          | completed  | completed           | -                  | completed
payoutObserved      | completed  | =          | =                   | -                  | -
observationFailed   | =          | =          | =                   | =                  | =
itemCancelRequested | = +perform | refused    | refused             | refused            | refused
providerNotified    | =          | =          | =                   | -                  | =
pollCameDue         | = +observe | = +observe | = +observe          | = +observe         | = +observe
`;

const ended = `
event               | completed  | denied     | cancelled  | declined
stepDeclined        | -          | -          | -          | -
stepDeferred        | -          | -          | -          | -
outcomeUnknown      | -          | -          | -          | -
stepProvedUndone    | -          | -          | -          | -
lookInconclusive    | -          | -          | -          | -
stepDecidedUndone   | -          | -          | -          | -
stepCameDue         | -          | -          | -          | -
reviewCameDue       | -          | -          | -          | -
reviewDecided       | refused    | refused    | refused    | refused
decisionRefused     | -          | -          | -          | -
payoutCreated       | -          | -          | -          | -
itemCancelled       | -          | -          | -          | -
payoutObserved      | -          | -          | -          | -
observationFailed   | =          | =          | =          | -
itemCancelRequested | refused    | refused    | refused    | refused
providerNotified    | = +observe | = +observe | = +observe | -
pollCameDue         | = +observe | = +observe | = +observe | -
`;

const situations: Readonly<Record<string, PayoutState>> = {
  ...Object.fromEntries(payoutStatuses.map((status) => [status, payout(status)])),
  'creating in doubt': payout('creating', { openStep: inDoubt(creation) }),
  cancelling: payout('settling', { openStep: { ...inDoubt(cancellation), phase: 'running', looks: 0 } }),
  'cancelling in doubt': payout('settling', { openStep: inDoubt(cancellation) }),
  'review of creation': reviewOfCreation(),
  'review of cancellation': payout('needs_review', { openStep: inDoubt(cancellation) }),
};

function reviewOfCreation(): PayoutState {
  const { providerBatchId: _unknown, ...state } = payout('needs_review', { openStep: inDoubt(creation) });
  return state;
}

describe.each([beforeItems, whileItemsAreOpen, ended])('the table', (text) => {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('knows every event', () => {
    expect(new Set(rows.map(([event]) => event))).toEqual(new Set(Object.keys(sampleEvents)));
  });

  it.each(rows.flatMap(([event, ...cells]) => cells.map((expected, n) => [event, head[n + 1], expected])))(
    '%s in %s: %s',
    (event = '', situation = '', expected = '') => {
      const state = situations[situation];
      if (!state) throw new Error(`no situation ${situation}`);
      expect(describeDecision(state, sampleEvents[event as PayoutEventType])).toBe(expected);
    },
  );
});

it('never leaves an end, whatever comes', () => {
  for (const status of payoutStatuses.filter(isTerminal)) {
    for (const event of Object.values(sampleEvents)) {
      expect(transition(payout(status), event, now).state.status, `${event.type} in ${status}`).toBe(status);
    }
  }
});

function describeDecision(state: PayoutState, event: PayoutEvent): string {
  const result: TransitionResult = transition(state, event, now);
  if (result.kind === 'stale') return '-';
  if (result.kind !== 'moved') return result.kind;
  const to = result.state.status === state.status ? '=' : result.state.status;
  return result.effect ? `${to} +${result.effect.type}` : to;
}
