import { sql } from 'kysely';
import type { PaymentIdentity } from '../../workflows/src/contract.js';
import { isTerminal, paymentStatuses } from '../../workflows/src/lifecycle/payment.js';
import { type RestartedPayment, takeUpAgain } from '../../workflows/src/lifecycle/restart.js';
import type { Database } from './database.js';
import type { Owner } from './reconciliation.js';
import type { CommandRow, PaymentRow } from './schema.js';
import { commitTogether, rowsOf } from './transition-rows.js';

const open = paymentStatuses.filter((status) => !isTerminal(status));

/**
 * The next payments, by id, that have not ended and have not moved for a while. Each status is walked by its own index,
 * so that the many that have ended cost nothing.
 *
 * @param after the last one of the walk so far; null begins anew.
 */
export async function findIdlePayments(
  db: Database,
  { environment, application }: Owner,
  { after, idleForMs, limit }: { after: string | null; idleForMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select idle.id from unnest(${open}::text[]) as open(status) cross join lateral (
      select id from payments
      where environment = ${environment} and application = ${application} and payments.status = open.status
        and id > ${after ?? ''} and updated_at < now() - ${idleForMs} * interval '1 millisecond'
      order by environment desc, application desc, payments.status desc, id limit ${limit}
    ) as idle order by idle.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Payments with a command that no run has begun, though it was accepted a while ago. */
export async function findForgottenPayments(
  db: Database,
  { environment, application }: Owner,
  { acceptedForMs, limit }: { acceptedForMs: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .select('payment_id')
    .where('status', '=', 'accepted')
    .where('created_at', '<', sql<Date>`now() - ${acceptedForMs} * interval '1 millisecond'`)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return [...new Set(rows.map(({ payment_id }) => payment_id))];
}

/** Commands that no run has begun, oldest first. */
export async function findAcceptedCommands(db: Database, paymentId: string): Promise<CommandRow[]> {
  return await db
    .selectFrom('commands')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'accepted')
    .orderBy('created_at')
    .execute();
}

/** What a new run of a payment goes on from. */
export interface TakenUpPayment extends RestartedPayment {
  readonly payment: PaymentRow;
  /** Accepted, and not begun. */
  readonly commands: readonly CommandRow[];
}

/**
 * Brings a payment whose run is gone to where a new run can go on from, and writes that into its story.
 *
 * @param seen the version at which the run was found gone.
 * @returns undefined when the payment has moved since, or ended.
 */
export async function takeUpPayment(
  db: Database,
  identity: PaymentIdentity,
  seen: number,
): Promise<TakenUpPayment | undefined> {
  return await db.transaction().execute(async (trx) => {
    const payment = await trx
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', identity.paymentId)
      .where('version', '=', seen)
      .forUpdate()
      .executeTakeFirst();
    if (!payment || isTerminal(payment.status)) return undefined;
    const restarted = takeUpAgain(payment, Date.now());
    const { position, entry } = restarted;
    const [first, ...others] = rowsOf(trx, { identity, ...position, timeline: [entry] }, 'reading');
    if (first) await commitTogether(trx, first, others);
    return { ...restarted, payment, commands: await findAcceptedCommands(trx, payment.id) };
  });
}
