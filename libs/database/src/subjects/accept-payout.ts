import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { PayoutState, PayoutStatus, ReceiverType } from '#workflows/lifecycle/payout';
import { type NewCommand, acceptCommand, acceptWith, findExisting } from '../commands/command-rows.js';
import { restoredMoment } from '../commands/restores.js';
import { type Database, isDuplicateOf } from '../connection/database.js';
import type { CommandResult, CommandRow, Metadata, PayoutRow } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';

export interface NewPayout {
  readonly reference?: string;
  readonly state: PayoutState;
  readonly sealedLetters: Buffer;
  readonly metadata?: Metadata | undefined;
  /** In the order of the request. */
  readonly items: readonly NewPayoutItem[];
}

/** An item without any information about its receiver. */
export interface NewPayoutItem {
  readonly itemId: string;
  readonly receiverType: ReceiverType;
  readonly receiverMasked: string;
  readonly minor: number;
  readonly currency: string;
}

/**
 * Commits the order of a payout, its row and all its items in one statement. Of two concurrent orders with the same
 * reference the unique index accepts only one. No order gets a reference of a payout whose row was lost in a restore.
 *
 * @param refusalFor the answer to an order with the reference of another payout; the order stays refused under its key.
 * @returns the command in the database: this one, accepted or refused, or that of an earlier request with the same key.
 */
export async function acceptPayout(
  db: Database,
  command: NewCommand,
  payout: NewPayout,
  refusalFor: (bearer: ReferenceOwner) => CommandResult,
): Promise<CommandRow> {
  const lost = await findLost(db, command, payout);
  if (lost) return (await acceptCommand(db, command, refusalFor(lost))).row;
  try {
    const subject = { ...command, id: command.subjectId };
    const rows = [
      db.insertInto('payouts').values(payoutValues(subject, payout)),
      itemRows(subject.id, payout),
    ];
    return (await acceptWith(db, command, rows)).row;
  } catch (error) {
    if (!isDuplicateOf(error, 'payouts_by_reference')) throw error;
    // A repeated request has the same reference and is found under its key.
    const earlier = await findExisting(db, command);
    if (earlier) return earlier;
    const bearer = await findBearer(db, command, payout);
    if (bearer && !bearer.isUndone) return (await acceptCommand(db, command, refusalFor(bearer))).row;
    if (bearer) await freeReference(db, bearer.id);
    return await acceptPayout(db, command, payout, refusalFor);
  }
}

/**
 * Writes the rows of a payout again that were lost when the database was restored. They are as old as the restore, so
 * that attempts which were lost with them are looked up (restores.ts).
 */
export async function insertLostPayout(db: Database, subject: Subject, payout: NewPayout): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto('payouts')
      .values({ ...payoutValues(subject, payout), created_at: restoredMoment })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    if (inserted.length > 0) await itemRows(subject.id, payout).execute(trx);
  });
}

/** The payout that has a reference. */
export interface ReferenceOwner extends Pick<PayoutRow, 'id'> {
  /** Undefined if its row was lost in a restore. */
  readonly status?: PayoutStatus;
  /** It is proved that it made no batch. */
  readonly isUndone: boolean;
}

/** The payout that had the reference when its row was lost in a restore, unless its row has been written again. */
async function findLost(
  db: Database,
  { environment, application, idempotencyKey }: NewCommand,
  { reference }: NewPayout,
): Promise<ReferenceOwner | undefined> {
  if (reference === undefined) return undefined;
  const lost = await db
    .selectFrom('remembered_references as remembered')
    .innerJoin('commands', 'commands.subject_id', 'remembered.payout_id')
    .leftJoin('payouts', 'payouts.id', 'remembered.payout_id')
    .select('remembered.payout_id as id')
    .where('remembered.environment', '=', environment)
    .where('remembered.application', '=', application)
    .where('remembered.reference', '=', reference)
    .where('commands.kind', '=', 'create')
    // A repeat of its own order finds its command.
    .where('commands.idempotency_key', '!=', idempotencyKey)
    .where('payouts.id', 'is', null)
    .executeTakeFirst();
  return lost && { ...lost, isUndone: false };
}

/**
 * The status `declined` alone proves nothing, because an operator can decide it without proof. Proof is that the
 * provider has answered every call. A batch that the provider has, even a denied one, keeps the reference.
 */
async function findBearer(
  db: Database,
  { environment, application }: NewCommand,
  { reference = '' }: NewPayout,
): Promise<ReferenceOwner | undefined> {
  return await db
    .selectFrom('payouts')
    .select(['id', 'status'])
    .select(
      sql<boolean>`status = 'declined' and not exists (select from attempts
        where attempts.subject_id = payouts.id
          and (attempts.outcome is null or attempts.outcome not in ('declined', 'deferred')))`.as('isUndone'),
    )
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('reference', '=', reference)
    .where('reference_freed', '=', false)
    .executeTakeFirst();
}

async function freeReference(db: Database, id: string): Promise<void> {
  await db.updateTable('payouts').set({ reference_freed: true }).where('id', '=', id).execute();
}

function payoutValues(
  { environment, application, id }: Subject,
  { reference, state, sealedLetters, metadata = {} }: NewPayout,
) {
  return {
    id,
    environment,
    application,
    reference: reference ?? null,
    status: state.status,
    state: storableJson(state),
    version: 0,
    sealed_letters: sealedLetters,
    metadata: storableJson(metadata),
  };
}

/** A foreign key is checked at the end of the statement; the payout's row exists by then. */
function itemRows(payoutId: string, { items }: NewPayout) {
  const column = <T>(valueOf: (item: NewPayoutItem) => T): T[] => items.map(valueOf);
  return sql`
    insert into payout_items (payout_id, item_id, position, receiver_type, receiver_masked, minor, currency, status)
    select ${payoutId}, item_id, position, receiver_type, receiver_masked, minor, currency, 'queued'
    from unnest(
      ${column(({ itemId }) => itemId)}::text[],
      ${column(({ receiverType }) => receiverType)}::text[],
      ${column(({ receiverMasked }) => receiverMasked)}::text[],
      ${column(({ minor }) => minor)}::bigint[],
      ${column(({ currency }) => currency)}::text[]
    ) with ordinality as item (item_id, receiver_type, receiver_masked, minor, currency, position)`;
}
