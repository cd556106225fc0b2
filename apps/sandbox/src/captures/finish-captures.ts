import { lockAuthorization, saveChange } from '../authorizations/authorization-rows.js';
import { finishCapture } from '../authorizations/held-money.js';
import { bookCapture, bookRelease } from '../books/payment-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { recordCaptureEvent } from './capture-events.js';

/** Completes or denies the pending captures whose time has come. */
export function finishCaptures(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('captures')
      .select(['id', 'authorization_id', 'settles_at as due_at'])
      .where('state', '=', 'pending')
      .where('settles_at', '<=', instant);
  return carryOut(context, dueAt, (capture) => finish(context, capture.id, capture.authorization_id));
}

function finish(context: SandboxContext, captureId: string, authorizationId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const locked = await lockAuthorization(transaction, authorizationId);
    const now = new Date();
    // Only the state that was read under the authorization's lock counts.
    const finished = await transaction
      .updateTable('captures')
      .set((column) => ({ state: column.fn.coalesce('settles_as', 'state'), updated_at: now }))
      .where('id', '=', captureId)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (locked === undefined || finished === undefined || finished.settles_as === null) return;
    const { authorization, payment } = locked;
    const terms = { minor: finished.amount_minor, isFinal: finished.is_final, isPending: false };
    const change = finishCapture(authorization, terms, finished.settles_as);
    await saveChange(transaction, authorization.id, change, now);
    const booking = { transaction, now, requestId: finished.request_id };
    if (finished.settles_as === 'completed') await bookCapture(booking, payment, finished);
    await bookRelease(booking, payment, authorization.id, change.releasedMinor);
    await recordCaptureEvent(transaction, finished, finished.settles_as, context.links, now);
  });
}
