import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { IDENTIFIER } from '../http/identifiers.js';
import type { ClockOperation, Operation } from '../http/operations.js';

/** What a payment consists of, by the first word of the operations on it. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['authorization', 'authorizations'],
  ['capture', 'captures'],
  ['sale', 'sales'],
  ['refund', 'refunds'],
]);

/** Whether the path of its calls names one payment, or a part of one. */
export function namesOnePayment(operation: Operation | ClockOperation): boolean {
  if (operation === 'payment.create' || operation === 'payment.list') return false;
  const [resource = ''] = operation.split('.', 1);
  return resource === 'payment' || PARTS.has(resource);
}

export interface CallToMatch {
  operation: Operation;
  clientId: string | null;
  /** The id in its path; empty when there is none. */
  resourceId: string;
}

/** Whether a call of this application names the payment, or a part of it. */
export async function isCallAbout(
  database: Kysely<Tables>,
  paymentId: string,
  { operation, clientId, resourceId }: CallToMatch,
): Promise<boolean> {
  if (!namesOnePayment(operation) || clientId === null || !IDENTIFIER.test(resourceId)) return false;
  const part = PARTS.get(operation.split('.', 1)[0] ?? '');
  const isPart =
    part === undefined
      ? sql<boolean>`${resourceId}::text = payments.id`
      : sql<boolean>`EXISTS (
          SELECT FROM ${sql.table(part)} AS part WHERE part.id = ${resourceId} AND part.payment_id = payments.id)`;
  const payment = await database
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('client_id', '=', clientId)
    .where(isPart)
    .executeTakeFirst();
  return payment !== undefined;
}

/** Whether an event's resource is the payment's. */
export async function isEventAbout(
  database: Kysely<Tables>,
  paymentId: string,
  event: { id: string; client_id: string },
): Promise<boolean> {
  const subject = await database
    .selectFrom('event_subjects')
    .select('event_id')
    .where('client_id', '=', event.client_id)
    .where('subject_id', '=', paymentId)
    .where('event_id', '=', event.id)
    .executeTakeFirst();
  return subject !== undefined;
}

/**
 * A fault that is aimed at nothing would wait forever.
 * @throws ApiError VALIDATION_ERROR naming `paymentId`.
 */
export async function refuseUnknownPayment(
  database: Kysely<Tables>,
  { paymentId, clientId }: { paymentId?: string | undefined; clientId?: string | undefined },
): Promise<void> {
  if (paymentId === undefined) return;
  const payment = await database
    .selectFrom('payments')
    .select('client_id')
    .where('id', '=', paymentId)
    .executeTakeFirst();
  if (payment === undefined) throw ApiError.invalid('paymentId', 'No payment has this id');
  if (clientId !== undefined && clientId !== payment.client_id)
    throw ApiError.invalid('paymentId', 'The payment belongs to another application');
}
