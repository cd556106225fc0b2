import { sql } from 'kysely';
import type { RefundIdentity } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { RefundState } from '#workflows/lifecycle/refund';
import { type NewCommand, acceptCommand, findExisting } from '../commands/command-rows.js';
import { assertVersion } from '../commands/preconditions.js';
import { mayMissRefunds, restoredMoment } from '../commands/restores.js';
import type { Database } from '../connection/database.js';
import { refundColumns, countChangeOf, countRefundChange } from '../transitions/refund-records.js';
import type { CommandResult, CommandRow, Metadata, RefundRow } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import type { Owner } from '../schema/owner.js';

/** The decision about a refund request while the payment's row is locked. */
export type RefundRequestResult = NewRefund | { readonly refusal: CommandResult };
type NewRefund = Pick<RefundRow, 'state'> & {
  readonly metadata?: Metadata | undefined;
  readonly created_at?: typeof restoredMoment;
};

/**
 * Commits a refund with its command while the payment's row is locked: of two concurrent requests the second one sees
 * what the first has reserved.
 *
 * @param command its subject is the refund.
 * @param evaluate gets the payment, all its refunds, and whether some may be missing; not called if the key was used
 *   before.
 * @param versions the payment must have one of them, if given.
 * @throws {VersionMismatchError} if it has none of them.
 * @returns the command in the database: this one, accepted or refused, or that of an earlier request with the same key.
 */
export async function acceptRefund(
  db: Database,
  command: NewCommand,
  paymentId: string,
  evaluate: (payment: PaymentState, refunds: readonly RefundState[], mayMiss: boolean) => RefundRequestResult,
  versions?: readonly number[],
): Promise<CommandRow> {
  return await db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, command, paymentId);
    const earlier = await findExisting(trx, command);
    if (earlier) return earlier;
    if (versions) await assertVersion(trx, command, paymentId, versions);
    const refunds = await refundsOf(trx, paymentId);
    const result = evaluate(payment, refunds, await mayMissRefunds(trx, command));
    if ('refusal' in result) return (await acceptCommand(trx, command, result.refusal)).row;
    const accepted = await acceptCommand(trx, command);
    // A concurrent request used the same key for another payment.
    if (!accepted.isNew) return accepted.row;
    await insertRefund(trx, command, command.subjectId, result).execute();
    await countChangeOf(result.state).execute(trx);
    return accepted.row;
  });
}

/**
 * Inserts the row of a refund made elsewhere at its first report. From then on it reduces the refundable amount of its
 * payment, and long polls of the payment are answered.
 */
export async function insertObservedRefund(
  db: Database,
  identity: RefundIdentity,
  state: RefundState,
): Promise<void> {
  await insertUnordered(db, identity, { state });
}

/**
 * Writes the row of a request again that was lost when the database was restored. It is as old as the restore, so that
 * attempts which were lost with it are looked up (restores.ts).
 */
export async function insertLostRefund(
  db: Database,
  identity: RefundIdentity,
  state: RefundState,
): Promise<void> {
  await insertUnordered(db, identity, { state, created_at: restoredMoment });
}

async function insertUnordered(db: Database, identity: RefundIdentity, refund: NewRefund): Promise<void> {
  const inserted = insertRefund(db, identity, identity.refundId, refund)
    .onConflict((conflict) => conflict.doNothing())
    .returning('payment_id');
  await sql`with inserted as (${inserted})
    ${countRefundChange(sql`(select payment_id from inserted)`)}`.execute(db);
}

async function lockPayment(
  trx: Database,
  { environment, application }: Owner,
  paymentId: string,
): Promise<PaymentState> {
  const { state } = await trx
    .selectFrom('payments')
    .select('state')
    .where('id', '=', paymentId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return state;
}

async function refundsOf(trx: Database, paymentId: string): Promise<RefundState[]> {
  const rows = await trx.selectFrom('refunds').select('state').where('payment_id', '=', paymentId).execute();
  return rows.map(({ state }) => state);
}

function insertRefund(db: Database, { environment, application }: Owner, id: string, refund: NewRefund) {
  const { state, metadata = {}, created_at } = refund;
  return db.insertInto('refunds').values({
    ...(created_at && { created_at }),
    id,
    environment,
    application,
    kind: state.claim.kind === 'reversal' ? 'reversal' : 'refund',
    status: state.status,
    state: storableJson(state),
    metadata: storableJson(metadata),
    version: 0,
    ...refundColumns(state),
  });
}
