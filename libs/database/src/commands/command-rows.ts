import { sql } from 'kysely';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { type Database, isDuplicateOf } from '../connection/database.js';
import type { CommandKind, CommandResult, CommandRow } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';

/** The prefix of idempotency keys of policy commands; requests must not use it. */
export const policyKeyPrefix = 'policy:';

export interface NewCommand {
  readonly id: string;
  readonly environment: string;
  readonly application: string;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
  readonly kind: CommandKind;
  readonly subjectId: string;
  readonly parameters: Record<string, unknown>;
  readonly requestedBy: string;
}

export interface NewPayment {
  readonly orderId: string;
  readonly intent: string;
  readonly state: PaymentState;
  readonly description?: string;
  readonly payeeMasked?: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

/**
 * Commits a command, once per application and idempotency key.
 *
 * @param refusal commits it as refused. A copy of the same request may arrive later; it must not be carried out after
 *   the caller got the refusal.
 * @returns the row in the database: this one, or that of an earlier request with the same key.
 */
export async function acceptCommand(
  db: Database,
  command: NewCommand,
  refusal?: CommandResult,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  const inserted = await db
    .insertInto('commands')
    .values({
      ...commandValues(command),
      ...(refusal && { status: 'refused' as const, result: storableJson(refusal) }),
    })
    .onConflict((conflict) => conflict.columns(['environment', 'application', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { row: inserted, isNew: true };
  return { row: await findByKey(db, command), isNew: false };
}

/** Commits the order of a payment and the payment's row together. */
export async function acceptPayment(
  db: Database,
  command: NewCommand,
  payment: NewPayment,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  return await acceptWith(db, command, [paymentRow(db, command, payment)]);
}

/**
 * Commits an order and the rows of its subject in one statement.
 *
 * @param rows insert them.
 * @returns the command in the database: this one, or that of an earlier request with the same key.
 */
export async function acceptWith(
  db: Database,
  command: NewCommand,
  rows: readonly { toOperationNode(): unknown }[],
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  const accepted = db.insertInto('commands').values(commandValues(command)).returningAll();
  const parts = rows.map((row, n) => sql`${sql.ref(`part_${n}`)} as (${row})`);
  try {
    const inserted = await sql<CommandRow>`
      with ${sql.join([...parts, sql`accepted as (${accepted})`])} select * from accepted`.execute(db);
    return { row: only(inserted.rows), isNew: true };
  } catch (error) {
    // Two equal requests: the later one writes no subject and gets the command of the earlier one.
    if (!isDuplicateOf(error, 'commands_environment_application_idempotency_key_key')) throw error;
    return { row: await findByKey(db, command), isNew: false };
  }
}

/**
 * Commits a command whose result already exists: it has succeeded, and no run gets it.
 *
 * @returns the row in the database: this one, or that of an earlier request with the same key.
 */
export async function recordAnswered(db: Database, command: NewCommand): Promise<CommandRow> {
  const inserted = await db
    .insertInto('commands')
    .values({ ...commandValues(command), status: 'succeeded' })
    .onConflict((conflict) => conflict.columns(['environment', 'application', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? (await findByKey(db, command));
}

export async function findCommand(db: Database, id: string): Promise<CommandRow | undefined> {
  return await db.selectFrom('commands').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The decisions about a subject, oldest first. */
export async function listDecisions(db: Database, subjectId: string): Promise<CommandRow[]> {
  return await db
    .selectFrom('commands')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('kind', '=', 'decide')
    .orderBy('created_at')
    .execute();
}

/** The command of an earlier request with this key, if any. */
export async function findExisting(
  db: Database,
  command: Pick<NewCommand, 'environment' | 'application' | 'idempotencyKey'>,
): Promise<CommandRow | undefined> {
  return await byKey(db, command).executeTakeFirst();
}

/** Refuses an accepted command whose subject has ended, or whose decision the run has refused. */
export async function refuseCommand(db: Database, id: string, result: CommandResult): Promise<void> {
  await db
    .updateTable('commands')
    .set({ status: 'refused', result: storableJson(result), updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'accepted')
    .execute();
}

async function findByKey(db: Database, command: NewCommand): Promise<CommandRow> {
  return await byKey(db, command).executeTakeFirstOrThrow();
}

function byKey(db: Database, command: Pick<NewCommand, 'environment' | 'application' | 'idempotencyKey'>) {
  return db
    .selectFrom('commands')
    .selectAll()
    .where('environment', '=', command.environment)
    .where('application', '=', command.application)
    .where('idempotency_key', '=', command.idempotencyKey);
}

function paymentRow(db: Database, command: NewCommand, payment: NewPayment) {
  return db.insertInto('payments').values({
    id: command.subjectId,
    environment: command.environment,
    application: command.application,
    order_id: payment.orderId,
    intent: payment.intent,
    status: payment.state.status,
    state: storableJson(payment.state),
    version: 0,
    description: payment.description ?? null,
    payee_masked: payment.payeeMasked ?? null,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
  });
}

function only(rows: readonly CommandRow[]): CommandRow {
  const [row] = rows;
  if (!row) throw new Error('an accepted command has no row');
  return row;
}

function commandValues(command: NewCommand) {
  return {
    id: command.id,
    environment: command.environment,
    application: command.application,
    idempotency_key: command.idempotencyKey,
    body_hash: command.bodyHash,
    kind: command.kind,
    subject_id: command.subjectId,
    parameters: storableJson(command.parameters),
    status: 'accepted' as const,
    result: null,
    requested_by: command.requestedBy,
  };
}
