import type { PlanState } from '#workflows/lifecycle/plan';
import { type SubscriptionState, isTerminal } from '#workflows/lifecycle/subscription';
import { isFinal } from './payment-oracles.js';
import type { Stage } from './stage.js';
import { referenceOf } from './subscription-story.js';

export function watchSubscriptions({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, after) => {
      if (before?.kind !== 'subscription' || !isTerminal((before.state as SubscriptionState).status)) return;
      if (after.status === before.status) return;
      world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
    },
    commandChanged: () => undefined,
  });
}

export function judgePlan(stage: Stage, id: string): void {
  const { status } = stage.row<PlanState>(id);
  const { agreements } = stage.provider;
  const made = agreements.plans
    .allAt(stage.world.clock.now)
    .filter(({ merchantPreferences }) => merchantPreferences?.returnUrl === referenceOf(id));
  if (made.length > 1) stage.world.violate('made twice', `${id}: ${made.length} plans were made for it`);
  if (status !== 'active') stage.world.violate('stuck', `${id}: it is ${status} for ever`);
}

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
  if (agreement) {
    const told = ends[agreement.state] ?? agreement.state;
    if (told !== state.status)
      violate('told against the books', `it is told ${state.status}, the books say ${told}`);
    const collected = [...(stage.rows.book.get(id)?.values() ?? [])].filter(
      ({ status }) => status === 'completed',
    ).length;
    if (collected !== agreement.sales.length) {
      violate(
        'told against the books',
        `it is ${state.status} with ${collected} payments, the books say ${agreement.sales.length}`,
      );
    }
  } else if (state.status === 'expired')
    violate('told against the books', 'it is told expired, and never began');
  for (const command of stage.rows.commands.values()) {
    if (command.subjectId === id && !isFinal(command))
      violate('stuck', `${command.kind} ${command.id} is ${command.status} for ever`);
  }
}
