import { sql } from 'kysely';
import { type Database, isDuplicateOf } from '../connection/database.js';
import { type Inserted, insertColumns } from '../connection/prepared-insert.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import { commandColumns } from '../schema/columns.js';
import {
  type CommandKind,
  type CommandResult,
  type CommandRow,
  type CommandStatus,
} from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';

/** The prefix of idempotency keys of policy commands. */
export const policyKeyPrefix = 'policy:';
/** The prefix of idempotency keys of the console's forms. */
export const consoleKeyPrefix = 'console:';
/** Requests over the API must not use them: their keys would answer for what others have decided. */
export const reservedKeyPrefixes = [policyKeyPrefix, consoleKeyPrefix] as const;

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
  const values = {
    ...commandValues(command),
    ...(refusal && { status: 'refused' as const, result: storableJson(refusal) }),
  };
  const [inserted] = await runPrepared(db, acceptance, commandColumnsGiven.of(values));
  if (inserted) return { row: inserted, isNew: true };
  return { row: await findByKey(db, command), isNew: false };
}

export const commandColumnsGiven = insertColumns<CommandValues>({
  id: true,
  environment: true,
  application: true,
  idempotency_key: true,
  body_hash: true,
  kind: true,
  subject_id: true,
  parameters: true,
  requested_by: true,
  status: true,
  result: true,
});

const acceptance = prepared('accept-command', (db) =>
  db
    .insertInto('commands')
    .values(commandColumnsGiven.places)
    // The id follows from the key: both are taken at the same time.
    .onConflict((conflict) => conflict.doNothing())
    .returning(commandColumns),
);

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
  const statement = withRows(db, commandValues(command), rows);
  return await commandOrEarlier(db, command, async () => (await statement.execute(db)).rows);
}

/** The statement that inserts a command and other rows. */
export function withRows(
  db: Database,
  command: Inserted<CommandValues>,
  rows: readonly { toOperationNode(): unknown }[],
) {
  const accepted = db.insertInto('commands').values(command).returning(commandColumns);
  const parts = rows.map((row, n) => sql`${sql.ref(`part_${n}`)} as (${row})`);
  const columns = sql.join(commandColumns.map((column) => sql.ref(column)));
  return sql<CommandRow>`with ${sql.join([...parts, sql`accepted as (${accepted})`])} select ${columns} from accepted`;
}

/** @param insert inserts the command. */
export async function commandOrEarlier(
  db: Database,
  command: NewCommand,
  insert: () => Promise<readonly CommandRow[]>,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  try {
    return { row: only(await insert()), isNew: true };
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
  const [command] = await runPrepared(db, commandById, [id]);
  return command;
}

const commandById = prepared('command', (db) =>
  db.selectFrom('commands').select(commandColumns).where('id', '=', parameter<string>(1)),
);

/** A request that ordered a subject. */
export interface OrderRow extends CommandRow {
  /** Of a payout that has one. */
  readonly reference: string | null;
}

/** The request that ordered a subject; undefined for one that nobody ordered: a refund that was made elsewhere. */
export async function findOrderOf(db: Database, subjectId: string): Promise<OrderRow | undefined> {
  return await db
    .selectFrom('commands')
    .leftJoin('payouts', 'payouts.id', 'commands.subject_id')
    .selectAll('commands')
    .select('payouts.reference')
    .where('subject_id', '=', subjectId)
    .where('kind', 'in', ['create', 'refund'])
    .executeTakeFirst();
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
  const { environment, application, idempotencyKey } = command;
  const [found] = await runPrepared(db, commandByKey, [environment, application, idempotencyKey]);
  return found;
}

const commandByKey = prepared('command-by-key', (db) =>
  db
    .selectFrom('commands')
    .select(commandColumns)
    .where('environment', '=', parameter<string>(1))
    .where('application', '=', parameter<string>(2))
    .where('idempotency_key', '=', parameter<string>(3)),
);

/** Refuses an accepted command. */
export async function refuseCommand(db: Database, id: string, result: CommandResult): Promise<void> {
  await db
    .updateTable('commands')
    .set({ status: 'refused', result: storableJson(result), updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'accepted')
    .execute();
}

async function findByKey(db: Database, command: NewCommand): Promise<CommandRow> {
  const found = await findExisting(db, command);
  if (!found) throw new Error('a command with a taken key has no row');
  return found;
}

function only(rows: readonly CommandRow[]): CommandRow {
  const [row] = rows;
  if (!row) throw new Error('an accepted command has no row');
  return row;
}

type CommandValues = Omit<ReturnType<typeof valuesOf>, 'status' | 'result'> & {
  readonly status: CommandStatus;
  readonly result: string | null;
};

export function commandValues(command: NewCommand): CommandValues {
  return { ...valuesOf(command), status: 'accepted', result: null };
}

function valuesOf(command: NewCommand) {
  return {
    id: command.id,
    environment: command.environment,
    application: command.application,
    idempotency_key: command.idempotencyKey,
    body_hash: command.bodyHash,
    kind: command.kind,
    subject_id: command.subjectId,
    parameters: storableJson(command.parameters),
    requested_by: command.requestedBy,
  };
}
