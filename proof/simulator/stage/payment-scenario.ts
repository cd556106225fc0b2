import { asNewRunsDo } from '#workflows/contract/run.js';
import type { PaymentRunInput } from '#workflows/contract';
import {
  type PaymentOrder,
  type PaymentState,
  orderedPayment,
  policiesWithoutHold,
  rulesOfNewOrders,
} from '#workflows/lifecycle/payment';
import { playOrderService } from './order-service.js';
import { patience } from './patience.js';
import { playRefunds } from './refund-scenario.js';
import { type Stage, owner } from './stage.js';

/** Orders a payment, and has payer and order service do what was drawn. @returns its id. */
export function playPayment(stage: Stage): string {
  const { world, provider, rows } = stage;
  const { draws, clock } = world;
  const paymentId = world.nextId('pay_');
  provider.tempers.set(paymentId, {
    isApprovedAtOnce: draws.chance('approved at once', 0.15),
    isDeclined: draws.chance('declined', 0.05),
    authorizes: draws.chance('authorizes', 0.88)
      ? 'at once'
      : draws.pick('authorized', ['later', 'is denied later']),
    settles: draws.pick('settles', ['at once', 'at once', 'at once', 'later', 'is denied later'] as const),
    isHeldUnderAnotherId: draws.chance('held under another id', 0.5),
    differsByMinor: draws.chance('another amount', 0.04) ? draws.pick('differs by', [-1_000, 1_000]) : 0,
  });
  const order = drawOrder(stage, paymentId);
  const state = orderedPayment(order, clock.now);
  const identity = { ...owner, paymentId };
  const row = { id: paymentId, kind: 'payment', ...owner, status: state.status, state, version: 0 };
  rows.order(row, { id: `${paymentId}:order`, kind: 'create', subjectId: paymentId });
  const purchase = {
    orderId: 'order',
    returnUrl: 'https://shop.example/',
    cancelUrl: 'https://shop.example/',
  };
  const input: PaymentRunInput = {
    ...asNewRunsDo,
    identity,
    order,
    purchase,
    messagesPerRun: draws.pick('messages', [2, 1_000]),
  };
  stage.start(stage.workflowId(paymentId), 'paymentWorkflow', input);
  void playPayer(stage, order);
  void playOrderService(stage, order);
  void playRefunds(stage, paymentId);
  return paymentId;
}

function drawOrder({ world: { draws, clock } }: Stage, paymentId: string): PaymentOrder {
  const isSale = draws.chance('sale', 0.4);
  const intent = isSale ? ('sale' as const) : ('authorize' as const);
  const policies = isSale
    ? policiesWithoutHold
    : ({
        capturePolicy: draws.pick('capture policy', [
          { mode: 'manual' },
          { mode: 'manual' },
          { mode: 'automatic' },
          { mode: 'at', at: clock.now + draws.spread('capture at', 60_000, 86_400_000 * 20) },
        ] as const),
        expiryPolicy: { action: draws.pick('expiry policy', ['void', 'capture', 'expire'] as const) },
        honourPolicy: draws.pick('honour policy', [
          { action: 'warn', reauthorize: 'none' },
          { action: 'capture', reauthorize: 'none' },
          { action: 'none', reauthorize: 'once' },
        ] as const),
      } as const);
  return {
    paymentId,
    ...(isSale && { intent }),
    ...rulesOfNewOrders({ intent }),
    amount: { minor: 10_000, currency: 'USD' },
    ...policies,
    approvalBy: clock.now + draws.pick('approval by', [60_000, 1_800_000]),
    patience,
  };
}

/** The payer: approves, returns, or does neither, at any moment, and often at the last one. */
async function playPayer(stage: Stage, { paymentId, approvalBy }: PaymentOrder): Promise<void> {
  const { world, provider } = stage;
  const { draws, clock } = world;
  const { state, version } = await whenAwaitingApproval(stage, paymentId);
  if (world.coincidence === 'silent approval') {
    await clock.sleep(Math.max(1, approvalBy - clock.now - draws.between('before the end', 1, 1_500)));
    return provider.payments.approve(state.providerPaymentId ?? '');
  }
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
  const isLast = draws.chance('last moment', 0.4);
  const at = isLast
    ? approvalBy + draws.between('around', -1_500, 1_500)
    : clock.now + draws.spread('payer takes', 500, 60_000);
  await clock.sleep(Math.max(1, at - clock.now));
  if (manner === 'cancels') stage.rows.payerCancelled.add(paymentId);
  if (manner === 'cancels')
    return await comeBack(stage, paymentId, { id: 'payer-cancelled', event: { type: 'payerCancelled' } });
  provider.payments.approve(state.providerPaymentId ?? '');
  if (draws.chance('turns back', 0.1)) void turnBack(stage, paymentId);
  if (manner === 'approves') return;
  const times = draws.chance('impatient', 0.1) ? 3 : 1;
  for (let time = 0; time < times; time += 1) {
    await clock.sleep(draws.spread('comes back', 5, 3_000));
    provider.health.mayGoAwayAtReturn();
    // Whoever has the link can write any name into it.
    const payerId = draws.chance('another name', 0.04) ? 'PAYER2' : 'PAYER1';
    const id = `payer-approved:${payerId}:${version}`;
    await comeBack(stage, paymentId, { id, event: { type: 'payerApproved', payerId } as never });
  }
}

/** Cancels after the approval, often while its execution is in doubt or under review. */
async function turnBack(stage: Stage, id: string): Promise<void> {
  await stage.world.clock.sleep(stage.world.draws.spread('turns back after', 5, 3 * 86_400_000));
  const { status, openStep } = stage.row<PaymentState>(id).state;
  stage.rows.payerCancelled.add(id);
  // As apps/api/src/payments/payer-return.ts tells the run.
  const isHeard = status === 'awaiting_approval' || openStep?.step.type === 'executePayment';
  if (isHeard) await stage.tellRun(id, { id: 'payer-turned-back', event: { type: 'payerCancelled' } });
}

/** The payment as it was seen when it could be approved: a task that is lost may take that back a moment later. */
async function whenAwaitingApproval(stage: Stage, paymentId: string) {
  const seen: ReturnType<typeof stage.row<PaymentState>>[] = [];
  await stage.until(() => {
    const row = stage.row<PaymentState>(paymentId);
    if (row.status === 'awaiting_approval') seen.push(row);
    return seen.length > 0;
  });
  return seen[0] ?? stage.row<PaymentState>(paymentId);
}

/** Like apps/api/src/payments/payer-return.ts: a run after the approval gets no signal. */
async function comeBack(
  stage: Stage,
  id: string,
  message: { id: string; event: { type: string } },
): Promise<void> {
  if (stage.row(id).status === 'awaiting_approval') await stage.tellRun(id, message);
}
