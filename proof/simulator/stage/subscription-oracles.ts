import { parseMoney } from '#workflows/lifecycle';
import { type PlanState, isTerminal as isEndOfPlan } from '#workflows/lifecycle/plan';
import { type SubscriptionState, isTerminal } from '#workflows/lifecycle/subscription';
import { feePaid, feeUnclear, feeUnpaid } from '#workflows/lifecycle/subscription/rules.js';
import type { BookedAgreement } from '../provider/booked-agreement.js';
import type { BookedCycle, SubjectRow } from '../rows/row-types.js';
import { cyclesOf } from './deaths.js';
import type { Stage } from './stage.js';
import { referenceOf } from './subscription-scenario.js';

export function watchSubscriptions({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, after) => {
      if (before && cyclesOf(after) < cyclesOf(before)) {
        const words = `${after.id} was told ${cyclesOf(before)} cycles, and has ${cyclesOf(after)} now`;
        world.violate('final undone', words);
      }
      if (!before || !isEnd(before) || after.status === before.status) return;
      world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
    },
    commandChanged: () => undefined,
    partChanged: (name, before, after) => {
      if (finalParts[before]?.includes(after) === false)
        world.violate('final undone', `${name} was told ${before}, and is ${after} now`);
    },
  });
}

function isEnd({ kind, state }: SubjectRow): boolean {
  if (kind === 'plan') return isEndOfPlan((state as PlanState).status);
  return kind === 'subscription' && isTerminal((state as SubscriptionState).status);
}

/** What may still become of a payment of a subscription, or of an item of a payout, that is told as final. */
const finalParts: Readonly<Record<string, readonly string[]>> = {
  completed: ['partially_refunded', 'refunded', 'reversed'],
  success: ['refunded', 'reversed'],
  failed: [],
  returned: [],
  blocked: [],
  refunded: ['reversed'],
  reversed: [],
};

export function judgePlan(stage: Stage, id: string): void {
  const { status } = stage.row<PlanState>(id);
  const { agreements } = stage.provider;
  const made = agreements.plans
    .allAt(stage.world.clock.now)
    .filter(({ merchantPreferences }) => merchantPreferences?.returnUrl === referenceOf(id));
  if (made.length > 1) stage.world.violate('made twice', `${id}: ${made.length} plans were made for it`);
  const deactivations = [...stage.rows.commands.values()].filter(
    ({ subjectId, kind }) => subjectId === id && kind === 'deactivate',
  );
  const isRetired = deactivations.some((command) => command.status === 'succeeded');
  const expected = isRetired ? 'inactive' : 'active';
  if (status !== expected) stage.world.violate('stuck', `${id}: it is ${status} for ever, not ${expected}`);
  const shown = made[0]?.state;
  if (shown !== expected.toUpperCase())
    stage.world.violate('told against the books', `${id}: it is told ${expected}, the books say ${shown}`);
}

type Violate = (oracle: string, words: string) => void;

const ends: Readonly<Record<string, string>> = { Cancelled: 'cancelled', Expired: 'expired' };

/** Holds what was told of a subscription and its payments against the provider's books, once everything is at rest. */
export function judgeSubscription(stage: Stage, id: string): void {
  const { state } = stage.row<SubscriptionState>(id);
  const violate = (oracle: string, words: string) => stage.world.violate(oracle, `${id}: ${words}`);
  const executed = [...stage.provider.agreements.agreements.values()].filter(
    ({ returnUrl }) => returnUrl === referenceOf(id),
  );
  if (executed.length > 1) violate('money moved twice', `${executed.length} agreements are billed for it`);
  const run = stage.server.runs.get(stage.workflowId(id));
  if (!isTerminal(state.status))
    return violate('stuck', `it is ${state.status} for ever (${state.reason ?? 'no reason'})`);
  if (!run?.ended) return violate('stuck', `it is ${state.status}, and its run goes on for ever`);
  const [agreement] = executed;
  if (agreement) judgeAgreement(stage, { id, state }, agreement, violate);
  else if (state.status === 'expired')
    violate('told against the books', 'it is told expired, and never began');
}

function judgeAgreement(
  { rows }: Stage,
  { id, state }: { readonly id: string; readonly state: SubscriptionState },
  agreement: BookedAgreement,
  violate: Violate,
): void {
  const told = ends[agreement.state] ?? agreement.state;
  if (told !== state.status)
    violate('told against the books', `it is told ${state.status}, the books say ${told}`);
  const paid = [...(rows.book.get(id)?.values() ?? [])].filter(({ status }) => status === 'completed');
  const collected = inAll(paid.map(({ minor }) => minor));
  const there = inAll(agreement.sales.map(({ amount }) => parseMoney(amount.value, amount.currency).minor));
  if (paid.length !== agreement.sales.length || collected !== there) {
    const booked = `${agreement.sales.length} payments, ${there} in all`;
    const words = `it is ${state.status} with ${paid.length} payments, ${collected} in all, the books say ${booked}`;
    violate('told against the books', words);
  }
  judgeFailures([...(rows.book.get(id)?.values() ?? [])], agreement, violate);
  judgeFee(state, agreement, violate);
}

function judgeFailures(
  told: readonly Pick<BookedCycle, 'status'>[],
  { transactions }: BookedAgreement,
  violate: Violate,
): void {
  const failed = told.filter(({ status }) => status === 'failed').length;
  const there = transactions.filter(({ status }) => status === 'Failed').length;
  if (failed !== there)
    violate('told against the books', `it has ${failed} failed payments, the books have ${there}`);
}

/** One that ended before it was active says whether its setup fee was paid. */
function judgeFee({ reason }: SubscriptionState, { sales }: BookedAgreement, violate: Violate): void {
  const isTold = reason === feePaid || reason === feeUnpaid;
  if (reason === feeUnclear) violate('stuck', 'whether its setup fee was paid is never told');
  if (isTold && (reason === feePaid) !== sales.length > 0)
    violate('told against the books', `"${reason}", and the books have ${sales.length} payments`);
}

function inAll(minors: readonly number[]): number {
  return minors.reduce((sum, minor) => sum + minor, 0);
}
