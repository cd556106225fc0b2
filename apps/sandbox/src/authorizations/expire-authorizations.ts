import { bookRelease } from '../books/payment-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { lockAuthorization, saveChange } from './authorization-rows.js';
import { expire } from './held-money.js';
import { recordAuthorizationEvent } from './authorization-events.js';

/** Ends authorizations whose 29 days are over and returns what is held. */
export function expireAuthorizations(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('authorizations')
      .select(['id', 'valid_until as due_at'])
      .where('state', 'in', ['authorized', 'partially_captured'])
      .where('valid_until', '<=', instant);
  return carryOut(context, dueAt, ({ id }) => expireAuthorization(context, id));
}

function expireAuthorization(context: SandboxContext, authorizationId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const locked = await lockAuthorization(transaction, authorizationId);
    if (locked === undefined) return;
    const { authorization, payment } = locked;
    const now = new Date();
    const change = expire(authorization, now);
    if (change === null) return;
    const expired = await saveChange(transaction, authorization.id, change, now);
    await bookRelease({ transaction, now, requestId: null }, payment, authorization.id, change.releasedMinor);
    await recordAuthorizationEvent(transaction, expired, payment, 'voided', context.links, now);
  });
}
