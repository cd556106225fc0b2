import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { isFundingDeclined } from '../accounts/funding.js';
import { bookHold, bookRelease } from '../books/payment-movements.js';
import { honourDeadline } from '../clock/instants.js';
import { dayLengthOf, type SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AuthorizationRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { newResourceId } from '../http/identifiers.js';
import { withoutNulls } from '../http/without-nulls.js';
import { amountSchema } from '../money/amount-schema.js';
import type { Answer } from '../server/idempotency.js';
import { describeAuthorization } from './authorization-representation.js';
import { lockAuthorization, saveChange } from './authorization-rows.js';
import { reauthorize, replace, type Change } from './held-money.js';
import { refusalToReauthorize } from './reauthorization.js';
import { recordAuthorizationEvent } from './authorization-events.js';

/** Clients of the public API send the whole authorization; only its amount counts. */
export const reauthorizeRequest = z.preprocess(withoutNulls, z.object({ amount: amountSchema }));

/**
 * Reauthorizes the funds of an authorization: what is still held is returned to the payer and the new amount is held,
 * at one instant, under the same id or a new one as the application is configured. A new honour period of three days
 * begins; the 29 days still count from the original authorization.
 */
export async function reauthorizeAuthorization(
  context: SandboxContext,
  unit: UnitOfWork,
  authorizationId: string,
  { amount }: z.output<typeof reauthorizeRequest>,
): Promise<Answer> {
  const { transaction, now, application } = unit;
  const locked = await lockAuthorization(transaction, authorizationId, application.clientId);
  if (locked === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const { authorization, payment } = locked;
  if (amount.currency !== authorization.currency) throw new ApiError('CURRENCY_MISMATCH');
  if (payment.payment_method === 'credit_card') {
    const issue = 'Only a payment out of a wallet can be reauthorized';
    throw new ApiError('TRANSACTION_REFUSED', [{ field: 'payer.payment_method', issue }]);
  }
  const { reauthorizationId, reauthorizationTimes: times } = application.settings;
  const others = await readOtherIds(transaction, authorization);
  const terms = { minor: amount.minor, originalMinor: payment.amount_minor, times, ...others };
  const refused = refusalToReauthorize(authorization, terms, now);
  if (refused !== null) throw new ApiError(refused.refusal);
  if (await isFundingDeclined(transaction, payment.payer_id, unit.fault)) {
    throw new ApiError('INSTRUMENT_DECLINED');
  }

  const honored_until = honourDeadline(now, dayLengthOf(application.settings, context.defaults));
  const isSame = reauthorizationId === 'same';
  const change = isSame ? reauthorize(authorization, amount.minor) : replace(authorization);
  await saveChange(transaction, authorization.id, change, now);
  await bookRelease(unit, payment, authorization.id, change.releasedMinor);
  const held = isSame
    ? await reauthorizeSameId(unit, authorization, change, honored_until)
    : await reauthorizeNewId(unit, authorization, amount.minor, honored_until);
  await bookHold(unit, payment, held.id, amount.minor);
  await recordAuthorizationEvent(transaction, held, payment, 'created', context.links, now);
  return { status: 201, body: describeAuthorization(held, payment, context.links, now) };
}

function reauthorizeSameId(
  { transaction }: UnitOfWork,
  authorization: AuthorizationRow,
  change: Change,
  honored_until: Date,
): Promise<AuthorizationRow> {
  return transaction
    .updateTable('authorizations')
    .set({
      amount_minor: change.holding.amount_minor,
      renewed_minor: authorization.renewed_minor + change.releasedMinor,
      renewals: authorization.renewals + 1,
      honored_until,
    })
    .where('id', '=', authorization.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function reauthorizeNewId(
  { transaction, now }: UnitOfWork,
  authorization: AuthorizationRow,
  minor: number,
  honored_until: Date,
): Promise<AuthorizationRow> {
  return transaction
    .insertInto('authorizations')
    .values({
      id: newResourceId(),
      client_id: authorization.client_id,
      payment_id: authorization.payment_id,
      parent_id: authorization.id,
      state: 'authorized',
      amount_minor: minor,
      currency: authorization.currency,
      captured_minor: 0,
      pending_minor: 0,
      released_minor: 0,
      closing: false,
      honored_until,
      valid_until: authorization.valid_until,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * What was done under the other ids of an authorization. Their rows need no lock: nothing more is captured there, and a
 * pending capture that is denied at this moment only reduces the sum.
 */
async function readOtherIds(
  transaction: Transaction<Tables>,
  { id, payment_id }: AuthorizationRow,
): Promise<{ spentEarlierMinor: number; hasSuccessor: boolean }> {
  const others = await transaction
    .selectFrom('authorizations')
    .select([
      sql<string>`coalesce(sum(captured_minor + pending_minor), 0)`.as('spent_minor'),
      sql<boolean>`coalesce(bool_or(parent_id = ${id}), false)`.as('has_successor'),
    ])
    .where('payment_id', '=', payment_id)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return { spentEarlierMinor: Number(others.spent_minor), hasSuccessor: others.has_successor };
}
