import { sql } from 'kysely';
import type { PayoutIdentity } from '#workflows/contract';
import type {
  ItemStatus,
  ItemTotals,
  ReceiverType,
  PayoutState,
  PayoutStatus,
} from '#workflows/lifecycle/payout';
import { type NewCommand, acceptCommand, acceptWith, findExisting } from '../commands/command-rows.js';
import { type Database, isDuplicateOf } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { CommandResult, CommandRow, Metadata, PayoutItemRow, PayoutRow } from '../schema/schema.js';
import { totalsOfItems } from './payout-items.js';
import { type Shown, shownVersionOf } from './shown-version.js';
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
 * reference the unique index accepts only one.
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
  try {
    return (await acceptWith(db, command, [payoutRow(db, command, payout), itemRows(command, payout)])).row;
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

/** The payout that has a reference. */
export interface ReferenceOwner extends Pick<PayoutRow, 'id' | 'status'> {
  /** It is proved that it made no batch. */
  readonly isUndone: boolean;
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

/** A payout without its encrypted receivers and texts, which go only to the provider. */
export interface PayoutView extends Shown<
  Omit<PayoutRow, 'sealed_letters' | 'reference_freed' | 'version_floor'>
> {
  /** Of the items' rows, at the instant of the payout's row. */
  readonly totals: ItemTotals;
  /** The amount of the item that is being cancelled. */
  readonly cancelled_minor: number | null;
}

const viewed = [
  'id',
  'environment',
  'application',
  'reference',
  'status',
  'state',
  'version',
  'read_began_at',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export async function findPayout(
  db: Database,
  { environment, application, payoutId }: PayoutIdentity,
): Promise<PayoutView | undefined> {
  return await viewsOfPayouts(db)
    .where('id', '=', payoutId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

export async function listPayouts(db: Database, filter: SubjectFilter<PayoutStatus>): Promise<PayoutView[]> {
  return await subjectsOf(viewsOfPayouts(db), filter);
}

function viewsOfPayouts(db: Database) {
  return db
    .selectFrom('payouts')
    .select(viewed)
    .select([shownVersionOf('payouts'), totalsOfItems, minorOfCancelled]);
}

const minorOfCancelled = sql<number | null>`(
  select minor from payout_items
  where payout_id = payouts.id and item_id = payouts.state #>> '{openStep,step,itemId}')`.as(
  'cancelled_minor',
);

export interface ItemFilter {
  readonly status?: ItemStatus | undefined;
  /** Items after this position. */
  readonly after?: number | undefined;
  readonly limit?: number;
}

/** In the order of the request, by key. */
export async function listPayoutItems(
  db: Database,
  payoutId: string,
  { status, after, limit }: ItemFilter = {},
): Promise<PayoutItemRow[]> {
  let query = db.selectFrom('payout_items').selectAll().where('payout_id', '=', payoutId);
  if (status) query = query.where('status', '=', status);
  if (after !== undefined) query = query.where('position', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  return await query.orderBy('position').execute();
}

export async function findPayoutItem(
  db: Database,
  payoutId: string,
  itemId: string,
): Promise<PayoutItemRow | undefined> {
  return await db
    .selectFrom('payout_items')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
}

function payoutRow(
  db: Database,
  command: NewCommand,
  { reference, state, sealedLetters, metadata = {} }: NewPayout,
) {
  return db.insertInto('payouts').values({
    id: command.subjectId,
    environment: command.environment,
    application: command.application,
    reference: reference ?? null,
    status: state.status,
    state: storableJson(state),
    version: 0,
    sealed_letters: sealedLetters,
    metadata: storableJson(metadata),
  });
}

/** A foreign key is checked at the end of the statement; the payout's row exists by then. */
function itemRows({ subjectId }: NewCommand, { items }: NewPayout) {
  const column = <T>(valueOf: (item: NewPayoutItem) => T): T[] => items.map(valueOf);
  return sql`
    insert into payout_items (payout_id, item_id, position, receiver_type, receiver_masked, minor, currency, status)
    select ${subjectId}, item_id, position, receiver_type, receiver_masked, minor, currency, 'queued'
    from unnest(
      ${column(({ itemId }) => itemId)}::text[],
      ${column(({ receiverType }) => receiverType)}::text[],
      ${column(({ receiverMasked }) => receiverMasked)}::text[],
      ${column(({ minor }) => minor)}::bigint[],
      ${column(({ currency }) => currency)}::text[]
    ) with ordinality as item (item_id, receiver_type, receiver_masked, minor, currency, position)`;
}
