import {
  type PlanRunInput,
  planCommandId,
  type SubscriptionRunInput,
  subscriptionCommandId,
} from '#workflows/contract';
import { asNewRunsDo } from '#workflows/contract/run.js';
import { type PlanState, type PlanTerms, orderedPlan } from '#workflows/lifecycle/plan';
import {
  type SubscriptionOrder,
  type SubscriptionState,
  isTerminal,
  orderedSubscription,
  subscriptionLifecycle,
} from '#workflows/lifecycle/subscription';
import { ofSubscriptions } from '../core/coincidences.js';
import type { CommandRow } from '../rows/row-types.js';
import { isFinal } from './payment-oracles.js';
import { patience } from './patience.js';
import { type Stage, owner } from './stage.js';

const termsOfAll = {
  name: 'weekly',
  description: 'a plan',
  currency: 'USD',
  phases: [{ name: 'regular', type: 'REGULAR', frequency: 'DAY', interval: 1, cycles: 3, minor: 900 }],
  autoBillsOutstanding: false,
  maxFailedPayments: 0,
} as const;

/** Orders a plan, and once it is active a subscription to it. */
export async function playSubscription(stage: Stage): Promise<void> {
  const { world, rows } = stage;
  const planId = world.nextId('plan_');
  const terms: PlanTerms = {
    ...termsOfAll,
    setupFeeMinor: world.draws.pick('setup fee', [0, 0, 500]),
    setupFeeFailure: world.draws.pick('setup fee fails', ['continue', 'cancel']),
  };
  const order = { planId, terms, patience };
  const state = orderedPlan(order, world.clock.now);
  const row = { id: planId, kind: 'plan', ...owner, status: state.status, state, version: 0 };
  rows.order(row, { id: planCommandId(planId), kind: 'create', subjectId: planId });
  const identity = { ...owner, planId };
  const input: PlanRunInput = {
    identity,
    order,
    reference: referenceOf(planId),
    messagesPerRun: 1_000,
    ...asNewRunsDo,
  };
  stage.start(stage.workflowId(planId), 'planWorkflow', input);
  await stage.until(() => stage.row(planId).status === 'active');
  void playRetirement(stage, planId);
  await subscribe(stage, stage.row<PlanState>(planId).state);
}

/** Some plans are deactivated, whatever becomes of their subscriptions. */
async function playRetirement(stage: Stage, planId: string): Promise<void> {
  const { draws, clock } = stage.world;
  if (!draws.chance('retired', 0.4)) return;
  await clock.sleep(draws.spread('retired after', 5, 86_400_000));
  await stage.command(
    planId,
    'deactivate',
    (commandId) => ({ type: 'deactivateRequested', commandId }),
    () => stage.row(planId).status !== 'active',
  );
}

export function referenceOf(id: string): string {
  return `https://shop.example/${id}`;
}

async function subscribe(
  stage: Stage,
  { order: { planId, terms }, providerPlanId = '' }: PlanState,
): Promise<void> {
  const { world, rows } = stage;
  const { draws, clock } = world;
  const subscriptionId = world.nextId('sub_');
  const startAt = clock.now + draws.pick('starts', [86_400_000, 86_400_000, 60_000]);
  const order: SubscriptionOrder = {
    subscriptionId,
    planId,
    providerPlanId,
    startAt,
    currency: 'USD',
    setupFeeMinor: terms.setupFeeMinor,
    approvalBy: Math.min(clock.now + draws.pick('approval by', [60_000, 1_800_000]), startAt),
    executeBefore: startAt,
    provesLapse: true,
    endsUnsent: true,
    patience,
  };
  const state = orderedSubscription(order, clock.now);
  const row = { id: subscriptionId, kind: 'subscription', ...owner, status: state.status, state, version: 0 };
  rows.order(row, { id: subscriptionCommandId(subscriptionId), kind: 'create', subjectId: subscriptionId });
  const returnUrl = referenceOf(subscriptionId);
  const input: SubscriptionRunInput = {
    ...asNewRunsDo,
    identity: { ...owner, subscriptionId },
    order,
    offer: { name: 'offer', description: 'offer', returnUrl, cancelUrl: returnUrl },
    messagesPerRun: draws.pick('messages', [2, 1_000]),
  };
  stage.start(stage.workflowId(subscriptionId), 'subscriptionWorkflow', input);
  void playPayer(stage, order);
  void playDunning(stage, subscriptionId);
  await playOrderService(stage, subscriptionId);
}

async function playPayer(stage: Stage, { subscriptionId, approvalBy }: SubscriptionOrder): Promise<void> {
  const { draws, clock, coincidence } = stage.world;
  await stage.until(() => stage.row(subscriptionId).status === 'awaiting_approval');
  const manner = draws.pick('payer', [
    'returns',
    'returns',
    'returns',
    'returns',
    'approves',
    'cancels',
    'stays away',
  ]);
  if (manner === 'stays away') return;
  if (coincidence === 'deaths around an execution')
    await stage.until(() => isRefusedOnce(stage, subscriptionId));
  const isLast = draws.chance('last moment', 0.3);
  const at = isLast
    ? approvalBy + draws.between('around', -1_500, 1_500)
    : clock.now + draws.spread('payer takes', 500, 60_000);
  await clock.sleep(Math.max(1, at - clock.now));
  const { state, version, status } = stage.row<SubscriptionState>(subscriptionId);
  if (status !== 'awaiting_approval') return;
  if (manner === 'cancels') {
    stage.rows.payerCancelled.add(subscriptionId);
    await stage.tellRun(subscriptionId, { id: 'payer-cancelled', event: { type: 'payerCancelled' } });
    return;
  }
  stage.provider.agreements.approve(state.token ?? '');
  if (manner === 'approves') return;
  await clock.sleep(draws.spread('comes back', 5, 3_000));
  if (stage.row(subscriptionId).status !== 'awaiting_approval') return;
  await stage.tellRun(subscriptionId, { id: `payer-approved:${version}`, event: { type: 'payerApproved' } });
}

/** An execution was tried before the payer had approved. */
function isRefusedOnce({ rows: { attempts } }: Stage, id: string): boolean {
  return attempts.some(
    ({ subject_id, step, outcome }) =>
      subject_id === id && step.type === 'executeAgreement' && outcome === 'declined',
  );
}

/** Bills or forgives what cycles and a setup fee have left owed, whole or in parts, and sometimes twice in a row. */
async function playDunning(stage: Stage, id: string): Promise<void> {
  const { draws, clock, coincidence } = stage.world;
  if (!draws.chance('dunning', ofSubscriptions.has(coincidence) ? 1 : 0.7)) return;
  const isOver = () => isTerminal(stage.row<SubscriptionState>(id).state.status);
  for (let left = 4; left > 0; left -= 1) {
    const owes = () => (stage.row<SubscriptionState>(id).state.billing?.outstandingMinor ?? 0) > 0;
    await stage.until(() => owes() || isOver());
    await clock.sleep(waitBeforeBilling(stage, id));
    if (isOver()) return;
    const minor = draws.pick('billed', [0, 0, 400]);
    // 0: everything.
    const asked = { note: 'asked for', ...(minor > 0 && { minor }) };
    const isForgiven = draws.chance('forgiven', 0.4);
    const command = isForgiven
      ? await forgive(stage, id, minor)
      : await stage.command(
          id,
          'billBalance',
          (commandId) => ({ type: 'billBalanceRequested', commandId, ...asked }),
          (event) => isRefused(stage, id, event),
        );
    if (command && !draws.chance('another at once', 0.3)) {
      await stage.until(() => isFinal(stage.rows.commands.get(command.id) ?? command));
      // Before a read has shown what the billing has left.
      if (coincidence === 'deaths around a balance' && !isForgiven) await forgive(stage, id, 0);
    }
  }
}

async function forgive(stage: Stage, id: string, minor: number): Promise<CommandRow | undefined> {
  return await stage.command(
    id,
    'setBalance',
    (commandId) => ({ type: 'setBalanceRequested', commandId, note: 'asked for', minor }),
    (event) => isRefused(stage, id, event),
  );
}

/** Often right before a cycle: its sale can look like that of the balance. */
function waitBeforeBilling({ world: { draws, clock }, row }: Stage, id: string): number {
  const { nextBillingAt = 0 } = row<SubscriptionState>(id).state.billing ?? {};
  const beforeCycle = nextBillingAt - draws.spread('before the cycle', 10, 120_000) - clock.now;
  if (beforeCycle > 0 && draws.chance('around a cycle', 0.6)) return beforeCycle;
  return draws.spread('billed after', 5, draws.chance('at once', 0.5) ? 60_000 : 86_400_000);
}

function isRefused({ row, world }: Stage, id: string, event: { readonly type: string }): boolean {
  const { state } = row<SubscriptionState>(id);
  return subscriptionLifecycle.transition(state, event as never, world.clock.now).kind === 'refused';
}

/** Suspends and takes up again, or cancels; what is suspended is never left so. */
async function playOrderService(stage: Stage, id: string): Promise<void> {
  const { draws, clock } = stage.world;
  const is = (...statuses: readonly string[]) => statuses.includes(stage.row(id).status);
  const isOver = () => isTerminal(stage.row<SubscriptionState>(id).state.status);
  const ask = async (kind: 'suspend' | 'reactivate' | 'cancel') =>
    await stage.command(
      id,
      kind,
      (commandId) => ({ type: `${kind}Requested`, commandId, note: 'asked for' }),
      (event) => isRefused(stage, id, event),
    );
  if (draws.chance('cancelled early', 0.12)) {
    await clock.sleep(draws.spread('cancelled after', 5, 120_000));
    await ask('cancel');
  }
  await stage.until(() => is('active') || isOver());
  const wish = draws.pick('wish', [
    'nothing',
    'cancel',
    'suspend and go on',
    'suspend and cancel',
    'both at once',
  ]);
  if (wish === 'nothing') return;
  await clock.sleep(draws.spread('wish after', 5, 86_400_000));
  if (wish === 'cancel') return void (await ask('cancel'));
  const isBoth = wish === 'both at once';
  const [suspension] = await Promise.all([ask('suspend'), ...(isBoth ? [ask('cancel')] : [])]);
  if (!suspension) return;
  await stage.until(() => isFinal(stage.rows.commands.get(suspension.id) ?? suspension));
  while (!isOver()) {
    await clock.sleep(draws.spread('suspended for', 5, 86_400_000));
    if (is('active')) {
      // As a poller does: a worker whose task was lost writes its rows again, and the row is behind for a moment.
      await clock.sleep(60_000);
      if (is('active')) return;
    }
    if (is('suspended')) await ask(wish === 'suspend and go on' ? 'reactivate' : 'cancel');
  }
}
