import type { Database } from '#database/connection';
import { lockSubjectOf, markWebhookEvent, journalWebhookEvent } from '#database/events';
import { type OnCommitted, writeAttemptOutcome } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import { isAlreadyKnown, type PaymentState } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { authorizationEvent, leased, park, transition, withOwnIds } from './engine-database.js';

export async function grant(
  db: Database,
  identity: PaymentIdentity,
  attemptId: number,
  onCommitted?: OnCommitted,
): Promise<void> {
  const held = transition(identity, withOwnIds(payment('authorized'), identity), 3);
  const event = { type: 'lookInconclusive' } as const;
  const outcome = { attemptId, outcome: 'answered', event, at: new Date() } as const;
  await writeAttemptOutcome(db, held, outcome, onCommitted);
}

/** As the inbox dispatches: under the payment's lock, parking what a running step may answer. */
export async function journalAndDispatch(
  db: Database,
  identity: PaymentIdentity,
  state = 'authorized',
): Promise<number> {
  const { id } = await journalWebhookEvent(db, authorizationEvent(identity, state));
  const event = await leased(db, id);
  const isKnown = await db.transaction().execute(async (trx) => {
    const found = await lockSubjectOf(trx, event);
    if (!found) return false;
    const status = isAlreadyKnown(found.state as PaymentState, event.resource) ? 'applied' : 'parked';
    return await markWebhookEvent(trx, event, status, { subjectId: found.id });
  });
  if (!isKnown) await park(db, event);
  return id;
}
