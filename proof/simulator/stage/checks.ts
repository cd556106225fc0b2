import { payoutRunAfterEnd, subscriptionRunAfterEnd } from '#runs';
import type { RunStart } from '#workflows/contract';
import { paymentLifecycle } from '#workflows/lifecycle/payment';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { planLifecycle } from '#workflows/lifecycle/plan';
import { refundLifecycle } from '#workflows/lifecycle/refund';
import type { SteppingState } from '#workflows/lifecycle/step';
import { subscriptionLifecycle } from '#workflows/lifecycle/subscription';
import type { SubjectRow } from '../rows/row-types.js';
import type { Stage } from './stage.js';

const event = { type: 'providerNotified', eventType: 'CHECK', isCheck: true } as const;

interface Checked {
  readonly lifecycle: {
    transition(state: never, event: never, now: number): { readonly kind: string };
    isTerminal(status: never): boolean;
  };
  readonly event: { readonly type: string };
  readonly runAfterEnd?: (row: SubjectRow) => RunStart;
}

/** As apps/api/src/checks/subject-checks.ts has them. */
const checks: Readonly<Record<string, Checked>> = {
  payment: { lifecycle: paymentLifecycle, event },
  refund: { lifecycle: refundLifecycle, event: { ...event, type: 'refundNotified' } },
  plan: { lifecycle: planLifecycle, event },
  subscription: {
    lifecycle: subscriptionLifecycle,
    event,
    runAfterEnd: (row) => subscriptionRunAfterEnd(row, row.state as never),
  },
  payout: {
    lifecycle: payoutLifecycle,
    event,
    runAfterEnd: (row) => payoutRunAfterEnd(row, row.state as never),
  },
};

/** Somebody asks for "check now", often when the time for the payer's approval is over. */
export function playChecks(stage: Stage): void {
  const { draws } = stage.world;
  stage.watch({
    subjectChanged: (before, after) => {
      if (!before && draws.chance('checks', 0.15)) void check(stage, after);
    },
    commandChanged: () => undefined,
  });
}

async function check(stage: Stage, { id, kind, state }: SubjectRow): Promise<void> {
  const { draws, clock } = stage.world;
  const { approvalBy } = (state as { readonly order?: { readonly approvalBy?: number } }).order ?? {};
  for (let times = draws.between('checked', 1, 3); times > 0; times -= 1) {
    const isLast = approvalBy !== undefined && draws.chance('checked at the last moment', 0.4);
    const last = (approvalBy ?? 0) - clock.now + draws.between('around', -1_500, 1_500);
    await clock.sleep(Math.max(1, isLast ? last : draws.spread('check after', 5, 3 * 86_400_000)));
    await checkNow(stage, id, checks[kind]);
  }
}

/** As apps/api/src/checks/checks.ts does it. */
async function checkNow(stage: Stage, id: string, checked: Checked | undefined): Promise<void> {
  if (!checked) return;
  const { lifecycle, runAfterEnd } = checked;
  const row = stage.row<SteppingState<unknown>>(id);
  const isUnderWay = row.state.openStep?.phase === 'running';
  const { kind } = lifecycle.transition(row.state as never, checked.event as never, stage.world.clock.now);
  if (isUnderWay || kind !== 'moved') return;
  const message = { id: stage.world.nextId('check:'), event: checked.event };
  if (lifecycle.isTerminal(row.status as never)) {
    if (!runAfterEnd) return;
    stage.startReading(id, runAfterEnd(row));
  }
  stage.world.tell(() => `${id} is checked`);
  await stage.tellRun(id, message);
}
