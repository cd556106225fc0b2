import type { Instant } from '../lifecycle.js';
import { end, enter, steps, withoutStep } from './open-step.js';
import type {
  PlanTransitionResult,
  PlanEvent,
  PlanEventType,
  PlanFacts,
  PlanState,
  PlanStatus,
} from './plan.js';

type EventOf<T extends PlanEventType> = Extract<PlanEvent, { type: T }>;
type Rule<T extends PlanEventType> = (
  state: PlanState,
  event: EventOf<T>,
  now: Instant,
) => PlanTransitionResult;
type Row = { readonly [T in PlanEventType]?: Rule<T> };

const openStepRow: Row = {
  ...steps.whileOpen,
  providerNotified: steps.take,
  stepDeclined: (state, { reason }, now) => end(state, 'declined', reason, now),
};

/** An existing plan changes only by actions elsewhere, which come as hints. */
const existingRow: Row = {
  providerNotified: (state, _event, now) => observe(state, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  planObserved: (state, { facts }, now) => takeFacts(state, facts, now),
  observationFailed: (state) => ({ kind: 'moved', state: { ...state, readOwed: true } }),
};

/** The lifecycle of a plan: the events of each state. Unlisted events are stale. */
const table: Readonly<Record<PlanStatus, Row>> = {
  creating: { ...openStepRow, planCreated: activate },
  activating: {
    ...openStepRow,
    planActivated: (state, _event, now) => ({
      kind: 'moved',
      state: enter(withoutStep(state), 'active', now),
    }),
  },
  active: existingRow,
  inactive: existingRow,
  deleted: {},
  declined: {},
};

/**
 * The whole lifecycle as one pure function, which workflow, activities and API share.
 *
 * @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same.
 */
export function transition(state: PlanState, event: PlanEvent, now: Instant): PlanTransitionResult {
  const rule = table[state.status][event.type] as Rule<typeof event.type> | undefined;
  return rule ? rule(state, event, now) : { kind: 'stale', state };
}

/** A plan must be active before agreements can be created (provider-facts, "States"). */
function activate(state: PlanState, created: EventOf<'planCreated'>, now: Instant): PlanTransitionResult {
  const { providerPlanId, facts } = created;
  const known = { ...withoutStep(state), providerPlanId };
  if (facts.shown !== 'ACTIVE') return steps.begin(known, { type: 'activatePlan' }, now);
  return { kind: 'moved', state: enter(withFacts(known, facts), 'active', now) };
}

function observe(state: PlanState, now: Instant): PlanTransitionResult {
  return {
    kind: 'moved',
    state: { ...state, polls: state.polls + 1, lastPollAt: now, readOwed: false },
    effect: { type: 'observe' },
  };
}

function takeFacts(state: PlanState, facts: PlanFacts, now: Instant): PlanTransitionResult {
  const isOlder = facts.updatedAt !== undefined && facts.updatedAt < (state.updatedAt ?? 0);
  const shown = statusShown(facts);
  if (isOlder || shown === undefined || shown === state.status) return { kind: 'stale', state };
  const seen = withFacts(state, facts);
  if (shown === 'deleted') return end(seen, 'deleted', 'The plan was deleted at the provider.', now);
  return { kind: 'moved', state: enter(seen, shown, now) };
}

/** CREATED may be a lagging read from before our activation. */
function statusShown({ shown }: PlanFacts): 'active' | 'inactive' | 'deleted' | undefined {
  switch (shown) {
    case 'ACTIVE':
      return 'active';
    case 'INACTIVE':
      return 'inactive';
    case 'DELETED':
      return 'deleted';
    default:
      return undefined;
  }
}

function withFacts(state: PlanState, { updatedAt }: PlanFacts): PlanState {
  return updatedAt === undefined ? state : { ...state, updatedAt };
}
