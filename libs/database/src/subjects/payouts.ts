import { sql } from 'kysely';
import type { PayoutIdentity } from '#workflows/contract';
import type { ItemStatus, ReceiverType, PayoutState, PayoutStatus } from '#workflows/lifecycle/payout';
import { type NewCommand, acceptCommand, acceptWith, findExisting } from '../commands/commands.js';
import { type Database, isDuplicateOf } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { CommandResult, CommandRow, PayoutItemRow, PayoutRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from './shown-version.js';
import { storableJson } from '../text/storable-text.js';

export interface NewPayout {
  readonly reference?: string;
  readonly state: PayoutState;
  readonly sealedLetters: Buffer;
  /** In the order in which they are sent. */
  readonly items: readonly NewPayoutItem[];
}

/** Nothing of it tells who its receiver is. */
export interface NewPayoutItem {
  readonly itemId: string;
  readonly receiverType: ReceiverType;
  readonly receiverMasked: string;
  readonly minor: number;
  readonly currency: string;
}

/**
 * Commits the order of a payout, its row and those of all its items together: one statement, however many there are. Of
 * two orders under one reference, whoever takes them and however close they come, the unique index lets one through.
 *
 * @param refusalFor what is said to an order under the reference of another payout; it stays refused under its key.
 * @returns the command that stands: this one, accepted or refused, or the one an earlier request with the same key left.
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
    // The same request again bears the same reference: it stands under its key.
    const earlier = await findExisting(db, command);
    if (earlier) return earlier;
    const bearer = await findBearer(db, command, payout);
    if (bearer && !bearer.isUndone) return (await acceptCommand(db, command, refusalFor(bearer))).row;
    if (bearer) await freeReference(db, bearer.id);
    return await acceptPayout(db, command, payout, refusalFor);
  }
}

/** The payout that a reference names. */
export interface ReferenceOwner extends Pick<PayoutRow, 'id' | 'status'> {
  /** It is proved that no batch was made of it. */
  readonly isUndone: boolean;
}

/**
 * Declined alone proves nothing, for an operator can decide it on word alone: the answer to every call is what does. A
 * batch that the provider has, and be it one that it denied, keeps the reference.
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

/** Without what is sealed in it: that goes to the provider and nowhere else. */
export type PayoutView = Shown<Omit<PayoutRow, 'sealed_letters' | 'reference_freed' | 'version_floor'>>;

const viewed = [
  'id',
  'environment',
  'application',
  'reference',
  'status',
  'state',
  'version',
  'created_at',
  'updated_at',
] as const;

export async function findPayout(
  db: Database,
  { environment, application, payoutId }: PayoutIdentity,
): Promise<PayoutView | undefined> {
  return await db
    .selectFrom('payouts')
    .select(viewed)
    .select(shownVersionOf('payouts'))
    .where('id', '=', payoutId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

export async function listPayouts(db: Database, filter: SubjectFilter<PayoutStatus>): Promise<PayoutView[]> {
  return await subjectsOf(db.selectFrom('payouts').select(viewed).select(shownVersionOf('payouts')), filter);
}

export interface ItemFilter {
  readonly status?: ItemStatus | undefined;
  /** Items after this position. */
  readonly after?: number | undefined;
  readonly limit?: number;
}

/** In the order in which they were sent, by key. */
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

/** What is sent to the provider: undefined once it has it. */
export async function findSealedLetters(db: Database, payoutId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('payouts')
    .select('sealed_letters')
    .where('id', '=', payoutId)
    .executeTakeFirst();
  return row?.sealed_letters ?? undefined;
}

function payoutRow(db: Database, command: NewCommand, { reference, state, sealedLetters }: NewPayout) {
  return db.insertInto('payouts').values({
    id: command.subjectId,
    environment: command.environment,
    application: command.application,
    reference: reference ?? null,
    status: state.status,
    state: storableJson(state),
    version: 0,
    sealed_letters: sealedLetters,
  });
}

/** The parts of one statement share a snapshot, and a foreign key is checked at its end: the payout is there by then. */
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
