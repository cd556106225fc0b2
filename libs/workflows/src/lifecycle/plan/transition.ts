import { type Instant, refuse } from '../lifecycle.js';
import { end, enter, failDeactivation, observe, steps, withoutStep } from './open-step.js';
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
  active: {
    ...existingRow,
    deactivateRequested: (state, { commandId }, now) =>
      steps.begin(state, { type: 'deactivatePlan', commandId }, now),
  },
  deactivating: { ...openStepRow, planDeactivated: takeDeactivation, stepDeclined: failDeactivation },
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
  if (rule) return rule(state, event, now);
  if (event.type !== 'deactivateRequested') return { kind: 'stale', state };
  return refuse(state, 'not_allowed_in_state', `A plan that is ${state.status} is not deactivated.`);
}

/** Whether a plan can be deactivated now: as the transition table says. */
export function isDeactivatable(state: PlanState, now: Instant): boolean {
  return transition(state, { type: 'deactivateRequested', commandId: '' }, now).kind === 'moved';
}

/** A plan must be active before agreements can be created (provider-facts, "States"). */
function activate(state: PlanState, created: EventOf<'planCreated'>, now: Instant): PlanTransitionResult {
  const { providerPlanId, facts } = created;
  const known = { ...withoutStep(state), providerPlanId };
  if (facts.shown !== 'ACTIVE') return steps.begin(known, { type: 'activatePlan' }, now);
  return { kind: 'moved', state: enter(withFacts(known, facts), 'active', now) };
}

/** Whoever activates it again at the provider is found by the read that is due once no read lags. */
function takeDeactivation(state: PlanState, _event: unknown, now: Instant): PlanTransitionResult {
  const readsSettleAt = now + state.order.patience.outcomeHorizonMs;
  return { kind: 'moved', state: { ...enter(withoutStep(state), 'inactive', now), readsSettleAt } };
}

function takeFacts(known: PlanState, facts: PlanFacts, now: Instant): PlanTransitionResult {
  const { readsSettleAt = now, ...state } = known;
  const shown = statusShown(facts);
  const isFromBefore = shown === 'active' && now < readsSettleAt;
  const isOlder = facts.updatedAt !== undefined && facts.updatedAt < (state.updatedAt ?? 0);
  if (isFromBefore || isOlder || shown === undefined || shown === state.status)
    return { kind: 'stale', state: known };
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
