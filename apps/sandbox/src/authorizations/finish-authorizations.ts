import type { Transaction } from 'kysely';
import { bookHold } from '../books/payment-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { AuthorizationRow, Tables } from '../database/tables.js';
import { endProgress } from '../completion/end-progress.js';
import { lockAuthorization } from './authorization-rows.js';
import { recordAuthorizationEvent } from './authorization-events.js';

/** Ends pending authorizations: the funds are held, or denied. */
export function finishAuthorizations(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('authorizations')
      .select(['id', 'payment_id', 'settles_at as due_at'])
      .where('state', '=', 'pending')
      .where('settles_at', '<=', instant);
  return carryOut(context, dueAt, ({ id, payment_id }) => finishAuthorization(context, id, payment_id));
}

function finishAuthorization(
  context: SandboxContext,
  authorizationId: string,
  paymentId: string,
): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const now = new Date();
    // The payment first: the order of locks (context/unit-of-work.ts).
    await transaction
      .selectFrom('payments')
      .select('id')
      .where('id', '=', paymentId)
      .forUpdate()
      .executeTakeFirst();
    const locked = await lockAuthorization(transaction, authorizationId);
    if (locked?.authorization.state !== 'pending') return;
    const state = locked.authorization.settles_as ?? 'authorized';
    const finished = await setState(transaction, authorizationId, state, now);
    const payment = await endProgress(
      transaction,
      paymentId,
      state === 'denied' ? 'failed' : 'approved',
      now,
    );
    if (state === 'denied') {
      await recordAuthorizationEvent(
        transaction,
        finished,
        payment ?? locked.payment,
        'voided',
        context.links,
        now,
      );
      return;
    }
    await bookHold(
      { transaction, now, requestId: null },
      locked.payment,
      authorizationId,
      finished.amount_minor,
    );
    await recordAuthorizationEvent(
      transaction,
      finished,
      payment ?? locked.payment,
      'created',
      context.links,
      now,
    );
  });
}

function setState(
  transaction: Transaction<Tables>,
  authorizationId: string,
  state: 'authorized' | 'denied',
  now: Date,
): Promise<AuthorizationRow> {
  return transaction
    .updateTable('authorizations')
    .set({ state, updated_at: now })
    .where('id', '=', authorizationId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
