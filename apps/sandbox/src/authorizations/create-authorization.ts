import { bookHold } from '../books/payment-movements.js';
import { captureDeadline, honourDeadline } from '../clock/instants.js';
import { dayLengthOf, type SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AuthorizationRow, PaymentRow } from '../database/tables.js';
import { newResourceId } from '../http/identifiers.js';
import type { AuthorizationOutcome } from './authorization-outcome.js';
import { recordAuthorizationEvent } from './authorization-events.js';

/**
 * Holds a payment's funds: the authorization, its movement in the books and its event, all in the unit's transaction.
 * While it is pending nothing is held; the clock ends that (finish-authorizations.ts).
 */
export async function createAuthorization(
  context: SandboxContext,
  unit: UnitOfWork,
  payment: PaymentRow,
  outcome: AuthorizationOutcome,
): Promise<AuthorizationRow> {
  const dayLengthMs = dayLengthOf(unit.application.settings, context.defaults);
  const authorization = await unit.transaction
    .insertInto('authorizations')
    .values({
      id: newResourceId(),
      client_id: payment.client_id,
      payment_id: payment.id,
      amount_minor: payment.amount_minor,
      currency: payment.currency,
      captured_minor: 0,
      pending_minor: 0,
      released_minor: 0,
      closing: false,
      ...outcome,
      honored_until: honourDeadline(unit.now, dayLengthMs),
      valid_until: captureDeadline(unit.now, dayLengthMs),
      created_at: unit.now,
      updated_at: unit.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (authorization.state === 'authorized') {
    await bookHold(unit, payment, authorization.id, authorization.amount_minor);
  }
  await recordAuthorizationEvent(
    unit.transaction,
    authorization,
    payment,
    'created',
    context.links,
    unit.now,
  );
  return authorization;
}
