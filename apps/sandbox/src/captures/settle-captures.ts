import { lockAuthorization, saveChange } from '../authorizations/authorization-rows.js';
import { settleCapture } from '../authorizations/held-money.js';
import { bookCapture, bookRelease } from '../books/payment-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { recordCaptureEvent } from './capture-events.js';

/** Completes or denies the pending captures whose time has come; true when there were any. */
export function settleCaptures(context: SandboxContext): Promise<boolean> {
  const due = context.database
    .selectFrom('captures')
    .select(['id', 'authorization_id', 'settles_at as due_at'])
    .where('state', '=', 'pending')
    .where('settles_at', '<=', new Date());
  return carryOut(context, due, (capture) => settle(context, capture.id, capture.authorization_id));
}

function settle(context: SandboxContext, captureId: string, authorizationId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const locked = await lockAuthorization(transaction, authorizationId);
    const now = new Date();
    // Only the state that was read under the authorization's lock counts.
    const settled = await transaction
      .updateTable('captures')
      .set((column) => ({ state: column.fn.coalesce('settles_as', 'state'), updated_at: now }))
      .where('id', '=', captureId)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (locked === undefined || settled === undefined || settled.settles_as === null) return;
    const { authorization, payment } = locked;
    const terms = { minor: settled.amount_minor, isFinal: settled.is_final, isPending: false };
    const change = settleCapture(authorization, terms, settled.settles_as);
    await saveChange(transaction, authorization.id, change, now);
    const booking = { transaction, now, requestId: settled.request_id };
    if (settled.settles_as === 'completed') await bookCapture(booking, payment, settled);
    await bookRelease(booking, payment, authorization.id, change.releasedMinor);
    await recordCaptureEvent(transaction, settled, settled.settles_as, context.links, now);
  });
}
