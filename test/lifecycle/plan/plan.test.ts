import { describe, expect, it } from 'vitest';
import {
  lookBeforeRefusal,
  nextDeadline,
  planLifecycle,
  restartFrom,
} from '#workflows/lifecycle/plan/lifecycle.js';
import { nameOfStep, isAlreadyKnown } from '#workflows/lifecycle/plan';
import {
  type PlanTransitionResult,
  type PlanEvent,
  type PlanEventType,
  type PlanState,
  type PlanStatus,
  planStatuses,
} from '#workflows/lifecycle/plan/plan.js';
import { isDeactivatable, transition } from '#workflows/lifecycle/plan/transition.js';
import { now, patience } from '../subscription/sample-subscriptions.js';
import { plan } from './sample-plans.js';

const events: { readonly [T in PlanEventType]: Extract<PlanEvent, { type: T }> } = {
  stepDeclined: { type: 'stepDeclined', reason: 'no' },
  stepDeferred: { type: 'stepDeferred', retryAt: now + 1 },
  outcomeUnknown: { type: 'outcomeUnknown', horizonAt: now + 1 },
  stepProvedUndone: { type: 'stepProvedUndone' },
  lookInconclusive: { type: 'lookInconclusive' },
  stepDecidedUndone: { type: 'stepDecidedUndone', reason: 'no' },
  stepCameDue: { type: 'stepCameDue' },
  reviewCameDue: { type: 'reviewCameDue' },
  decisionRefused: { type: 'decisionRefused', commandId: 'c', code: 'too_early', reason: 'no' },
  planCreated: { type: 'planCreated', providerPlanId: 'P-1', facts: { shown: 'CREATED' } },
  planActivated: { type: 'planActivated' },
  planDeactivated: { type: 'planDeactivated' },
  planObserved: { type: 'planObserved', facts: { shown: 'INACTIVE', updatedAt: now + 1 } },
  observationFailed: { type: 'observationFailed' },
  deactivateRequested: { type: 'deactivateRequested', commandId: 'cmd_1' },
  providerNotified: { type: 'providerNotified', eventType: 'BILLING.PLAN.UPDATED' },
  pollCameDue: { type: 'pollCameDue' },
};

const table = `
event               | creating            | activating | active                | deactivating    | inactive   | deleted | declined
stepDeclined        | declined            | declined   | -                     | active +observe | -          | -       | -
stepDeferred        | =                   | =          | -                     | =               | -          | -       | -
outcomeUnknown      | =                   | =          | -                     | =               | -          | -       | -
stepProvedUndone    | = +perform          | = +perform | -                     | = +perform      | -          | -       | -
lookInconclusive    | -                   | -          | -                     | -               | -          | -       | -
stepDecidedUndone   | -                   | -          | -                     | -               | -          | -       | -
stepCameDue         | -                   | -          | -                     | -               | -          | -       | -
reviewCameDue       | -                   | -          | -                     | -               | -          | -       | -
decisionRefused     | -                   | -          | -                     | -               | -          | -       | -
planCreated         | activating +perform | -          | -                     | -               | -          | -       | -
planActivated       | -                   | active     | -                     | -               | -          | -       | -
planDeactivated     | -                   | -          | -                     | inactive        | -          | -       | -
planObserved        | -                   | -          | inactive              | -               | -          | -       | -
observationFailed   | -                   | -          | =                     | -               | =          | -       | -
deactivateRequested | refused             | refused    | deactivating +perform | refused         | refused    | refused | refused
providerNotified    | -                   | -          | = +observe            | -               | = +observe | -       | -
pollCameDue         | -                   | -          | = +observe            | -               | = +observe | -       | -
`;

const [header = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

function read(before: PlanState, result: PlanTransitionResult): string {
  if (result.kind !== 'moved') return result.kind === 'stale' ? '-' : result.kind;
  const where = result.state.status === before.status ? '=' : result.state.status;
  return result.effect ? `${where} +${result.effect.type}` : where;
}

describe('the table of a plan', () => {
  it('names every event and every status', () => {
    expect(rows.map(([event = '']) => event).toSorted()).toEqual(Object.keys(events).toSorted());
    expect(header.slice(1).toSorted()).toEqual([...planStatuses].toSorted());
  });

  it.each(
    rows.flatMap(([event = '', ...cells]) =>
      cells.map((cell, n) => [event, header[n + 1] ?? '', cell] as const),
    ),
  )('%s in %s: %s', (event, status, expected) => {
    const before = plan(status as PlanStatus);
    expect(read(before, transition(before, events[event as PlanEventType], now))).toBe(expected);
  });
});

function observed(state: PlanState, shown: string, updatedAt?: number): PlanTransitionResult {
  const facts = { shown, ...(updatedAt !== undefined && { updatedAt }) };
  return transition(state, { type: 'planObserved', facts }, now);
}

describe('a plan', () => {
  it('needs no activation when it was created active', () => {
    const made = { ...events.planCreated, facts: { shown: 'ACTIVE', updatedAt: now } };
    expect(transition(plan('creating'), made, now)).toMatchObject({
      kind: 'moved',
      state: { status: 'active' },
    });
  });

  it('never sends a creation in doubt to review, however long the doubt lasts', () => {
    const doubtful = transition(plan('creating'), events.outcomeUnknown, now).state;
    const later = transition(doubtful, events.lookInconclusive, now + 100 * patience.reviewAfterMs).state;
    expect(later).toMatchObject({ status: 'creating', openStep: { phase: 'doubt', looks: 1 } });
    expect(nextDeadline(later)?.event.type).toBe('stepCameDue');
  });

  it('follows what is done elsewhere, and no read from before that', () => {
    const inactive = transition(plan('active'), events.planObserved, now).state;
    expect(observed(inactive, 'ACTIVE', now).kind).toBe('stale');
    expect(observed(inactive, 'DELETED', now + 2).state.status).toBe('deleted');
    expect(observed(inactive, 'ACTIVE', now + 2).state.status).toBe('active');
    expect(observed(plan('active'), 'INACTIVE', now).state.status).toBe('inactive');
    expect(observed(plan('active'), 'CREATED', now + 1).kind).toBe('stale');
    const undated = observed(plan('active'), 'INACTIVE').state;
    expect(observed(undated, 'ACTIVE', now - 1).kind).toBe('stale');
  });

  it('keeps the provider’s id of it, is activated under it, and has its permanent names', () => {
    const created = transition(plan('creating'), events.planCreated, now);
    const step = { type: 'activatePlan' } as const;
    expect(created).toMatchObject({
      state: { providerPlanId: 'P-1', order: plan('creating').order, openStep: { step } },
      effect: { type: 'perform', step },
    });
    expect([nameOfStep({ step: { type: 'createPlan' } }), nameOfStep({ step })]).toEqual([
      'create',
      'activate',
    ]);
  });

  it('has ended once it is deleted or declined, and is declined if the provider never answers', () => {
    expect(planStatuses.filter((status) => planLifecycle.isTerminal(status))).toEqual([
      'deleted',
      'declined',
    ]);
    const { openStep, ...creating } = plan('creating');
    const last = { ...creating, openStep: { ...openStep, attempts: patience.maxAttempts - 1 } } as PlanState;
    expect(transition(last, events.stepProvedUndone, now).state.status).toBe('declined');
    expect(transition(plan('creating'), events.stepDeclined, now).state.reason).toBe('no');
  });

  it('is looked up when an event comes while an outcome is unknown, and read before a request is refused', () => {
    const doubtful = transition(plan('creating'), events.outcomeUnknown, now).state;
    expect(transition(doubtful, events.providerNotified, now)).toMatchObject({ effect: { type: 'lookUp' } });
    const asked = (status: PlanStatus) => lookBeforeRefusal(plan(status), events.deactivateRequested, now);
    expect(asked('inactive')).toEqual({ type: 'observe' });
    expect([asked('active'), asked('creating'), asked('deleted')]).toEqual([undefined, undefined, undefined]);
    const allowed = planStatuses.filter((status) => isDeactivatable(plan(status), now));
    expect(allowed).toEqual(['active']);
  });

  it('has no deadline once it is active, repeats a failed read, and continues from the rows', () => {
    expect(nextDeadline(plan('active'))).toBeUndefined();
    const owed = transition(plan('active'), events.observationFailed, now).state;
    expect(nextDeadline(owed)).toEqual({ at: now + patience.firstPollMs, event: { type: 'pollCameDue' } });
    const asked = transition(owed, events.pollCameDue, now);
    expect(nextDeadline(asked.state)).toBeUndefined();
    const failed = transition(asked.state, events.observationFailed, now).state;
    expect(nextDeadline(failed)?.at).toBe(now + 2 * patience.firstPollMs);
    const begun = transition(failed, events.deactivateRequested, now).state;
    expect(nextDeadline(begun)).toBeUndefined();
    const again = restartFrom({ state: plan('active'), version: 3 }, now).position;
    expect([again.version, nextDeadline(again.state)?.at]).toEqual([4, now]);
  });

  it('is deactivated on request; a read from before that changes nothing, and it is read once after reads have caught up', () => {
    const begun = transition(plan('active'), events.deactivateRequested, now);
    const step = { type: 'deactivatePlan', commandId: 'cmd_1' } as const;
    expect(begun).toMatchObject({ state: { status: 'deactivating', openStep: { step } }, effect: { step } });
    expect(nameOfStep({ step })).toBe('cmd_1');
    const { state } = transition(begun.state, events.planDeactivated, now);
    expect(state).toMatchObject({ status: 'inactive' });
    expect(observed(state, 'ACTIVE', now).kind).toBe('stale');
    expect(observed(state, 'ACTIVE', now + 1).kind).toBe('stale');
    expect(observed(state, 'DELETED', now + 1).state.status).toBe('deleted');
    const caughtUpAt = now + patience.outcomeHorizonMs;
    expect(nextDeadline(state)).toEqual({ at: caughtUpAt, event: { type: 'pollCameDue' } });
    const read = transition(state, events.pollCameDue, caughtUpAt);
    expect(read).toMatchObject({ effect: { type: 'observe' } });
    expect(nextDeadline(read.state)).toBeUndefined();
    const facts = { shown: 'ACTIVE', updatedAt: now + 1 };
    const again = transition(read.state, { type: 'planObserved', facts }, caughtUpAt).state;
    expect(again).toMatchObject({ status: 'active' });
    expect(nextDeadline(again)).toBeUndefined();
  });

  it('stays active, with the reason, when its deactivation is refused or given up', () => {
    const refused = transition(plan('deactivating'), events.stepDeclined, now);
    expect(refused).toMatchObject({ state: { status: 'active', reason: 'no' }, effect: { type: 'observe' } });
    expect(refused.state).not.toHaveProperty('openStep');
    const { openStep, ...last } = plan('deactivating');
    const attempts = patience.maxAttempts - 1;
    const given = { ...last, openStep: { ...openStep, attempts } } as PlanState;
    const { state } = transition(given, events.stepProvedUndone, now);
    expect(state).toMatchObject({ status: 'active' });
    expect(state.reason).toMatch(/proved that the deactivation of the plan did not happen/);
    expect(transition(plan('inactive'), events.deactivateRequested, now)).toMatchObject({
      refusal: { code: 'not_allowed_in_state', reason: 'A plan that is inactive is not deactivated.' },
    });
  });

  it('knows an event that shows its own state, or one older than its latest read', () => {
    const reported = { kind: 'plan', id: 'P-1' } as const;
    const knows = (state: string, updatedAt?: number) =>
      isAlreadyKnown(plan('active'), { ...reported, state, ...(updatedAt !== undefined && { updatedAt }) });
    expect([knows('CREATED'), knows('ACTIVE'), knows('INACTIVE', now - 1)]).toEqual([true, true, true]);
    expect([knows('INACTIVE'), knows('DELETED', now + 1)]).toEqual([false, false]);
    // The provider may round to whole seconds: both changes were made in this one.
    expect([knows('ACTIVE', now), knows('INACTIVE', now)]).toEqual([true, false]);
    expect(isAlreadyKnown(plan('inactive'), { ...reported, state: 'ACTIVE' })).toBe(false);
  });
});
