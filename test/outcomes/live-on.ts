import { setTimeout as wait } from 'node:timers/promises';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import type { Stage, StageWorker } from '../faults/dying-worker.js';
import { testWaitPolicy } from '../helpers/worker.js';

/** A provider that is never later than half a second, so that proofs of absence are soon to be had. */
export const promptProvider = { patience: { ...testWaitPolicy, outcomeHorizonMs: 500 } };

/** Takes the payment's deadlines as they come due, as its run would, until it stands as is asked for. */
export async function liveOn(
  worker: StageWorker,
  from: Position,
  isThere: (position: Position) => boolean,
): Promise<Position> {
  let position = from;
  for (let taken = 0; !isThere(position); taken += 1) {
    const due = nextDeadline(position.state);
    if (!due || taken > 100)
      throw new Error(`is ${position.state.status} for ever: ${JSON.stringify(position)}`);
    await wait(Math.max(0, due.at - Date.now()));
    position = await worker.take(position, due.event);
  }
  return position;
}

/** The same until it stands in one of the states. */
export async function liveUntil(
  worker: StageWorker,
  from: Position,
  ...statuses: readonly PaymentStatus[]
): Promise<Position> {
  return await liveOn(worker, from, ({ state }) => statuses.includes(state.status));
}

/** Created, approved by its payer, and nothing executed yet. */
export async function approved(
  stage: Stage,
  worker: StageWorker,
): Promise<{ position: Position; payerId: string }> {
  const created = await worker.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
  const position = await liveUntil(worker, created, 'awaiting_approval');
  const back = await stage.sandbox.approve(position.state.providerPaymentId ?? '');
  return { position, payerId: new URL(back).searchParams.get('PayerID') ?? '' };
}

export async function held(stage: Stage, worker: StageWorker): Promise<Position> {
  const { position, payerId } = await approved(stage, worker);
  return await liveUntil(
    worker,
    await worker.take(position, { type: 'payerApproved', payerId }),
    'authorized',
  );
}

/** The identities under which a kind of step was sent, oldest first. */
export async function identitiesOf(
  { db, identity }: Stage,
  type: string,
): Promise<{ request_id: string; reference: string; outcome: string | null }[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['request_id', 'reference', 'outcome', 'step'])
    .where('subject_id', '=', identity.paymentId)
    .orderBy('id')
    .execute();
  return rows.filter(({ step }) => step.type === type).map(({ step: _step, ...rest }) => rest);
}
