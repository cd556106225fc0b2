import { type RawBuilder, sql } from 'kysely';
import type { PaymentIdentity } from '../../workflows/src/contract.js';
import { type PaymentState, isTerminal, paymentStatuses } from '../../workflows/src/lifecycle/payment.js';
import type { TimelineEntry } from '../../workflows/src/lifecycle/timeline.js';
import { type NewApiCall, apiCallValues } from './api-calls.js';
import { policyKeyPrefix } from './commands.js';
import type { Database } from './database.js';
import { type OwnedResource, resourceRows } from './resources.js';
import type { CommandKind, CommandResult, CommandStatus } from './schema.js';
import { storableJson, storableText } from './storable-text.js';

/** A payment's rows as they shall stand after a transition. */
export interface Transition {
  readonly identity: PaymentIdentity;
  readonly state: PaymentState;
  /** Grows with each recorded event; rows never go back to an older one, whoever writes late. */
  readonly version: number;
  readonly timeline: readonly TimelineEntry[];
  readonly commands?: readonly CommandOutcome[];
  readonly calls?: readonly NewApiCall[];
}

export interface CommandOutcome {
  readonly commandId: string;
  readonly kind: CommandKind;
  readonly status: CommandStatus;
  readonly result?: CommandResult;
}

/** One write among those of a transition. */
type Write = RawBuilder<unknown> | { toOperationNode(): unknown };

/**
 * Sends all writes as one statement: one round trip, and all of them or none. Between the first answer of a provider
 * and the caller's stand these round trips and little else.
 *
 * @param first returns the id of the row that it wrote.
 * @returns that id; undefined when it wrote none (the others are written all the same).
 */
export async function commitTogether(
  db: Database,
  first: Write,
  others: readonly Write[],
): Promise<number | undefined> {
  const named = others.map((write, n) => sql`${sql.ref(`write_${n}`)} as (${write})`);
  const { rows } = await sql<{ id: number }>`
    with ${sql.join([sql`first as (${first})`, ...named])} select id from first`.execute(db);
  return rows[0]?.id;
}

/**
 * What a transition goes by. Rows written beside the beginning or the settling of an attempt are the newest there are:
 * only one process can do either. Anything else may have been read again, or be written late.
 */
type Basis = 'attempt' | 'reading';

/** The rows of a transition; the payment's own is locked by it, which orders us against the dispatcher of events. */
export function rowsOf(db: Database, transition: Transition, basis: Basis): Write[] {
  const { identity, state, timeline, calls = [], commands = [] } = transition;
  const resources = resourcesOf(state);
  const writes: Write[] = [paymentRow(db, transition, basis)];
  if (resources.length > 0) {
    writes.push(resourceRows(identity, resources));
  }
  if (timeline.length > 0) {
    writes.push(
      db
        .insertInto('timeline')
        .values(timeline.map((entry) => timelineValues(identity.paymentId, entry)))
        .onConflict((conflict) => conflict.columns(['payment_id', 'version']).doNothing()),
    );
  }
  writes.push(...commands.map((command) => commandRow(db, identity, command)));
  if (isTerminal(state.status)) writes.push(leftCommands(db, transition));
  if (calls.length > 0) {
    writes.push(db.insertInto('api_calls').values(calls.map((call) => apiCallValues(identity, call))));
  }
  return writes;
}

const ends = paymentStatuses.filter(isTerminal);

/**
 * A worker that dies takes the readings of its workflow task with it, though not its rows: the next one may come by a
 * shorter way, on which the same attempt ends the payment under a lower version than a lost look has left here.
 */
function paymentRow(db: Database, { identity, state, version }: Transition, basis: Basis) {
  const row = db
    .updateTable('payments')
    .set({
      state: storableJson(state),
      status: state.status,
      version: sql<number>`greatest(version, ${version})`,
      updated_at: new Date(),
    })
    .where('id', '=', identity.paymentId)
    .returning('id');
  if (basis === 'attempt') return row;
  // Another reading, by a worker thought dead, may not undo an end; an end is not held up by one.
  const isOvertaken = isTerminal(state.status) ? sql<boolean>`true` : sql<boolean>`version = ${version}`;
  return row.where((where) =>
    where.or([where('version', '<', version), where.and([isOvertaken, where('status', 'not in', ends)])]),
  );
}

/** A run's own policy has no request behind it: its command's row is made here. A final outcome stays. */
function commandRow(db: Database, identity: PaymentIdentity, command: CommandOutcome) {
  const result = command.result ? storableJson(command.result) : null;
  return db
    .insertInto('commands')
    .values({
      id: command.commandId,
      environment: identity.environment,
      application: identity.application,
      idempotency_key: `${policyKeyPrefix}${command.commandId}`,
      body_hash: '',
      kind: command.kind,
      payment_id: identity.paymentId,
      parameters: JSON.stringify({}),
      status: command.status,
      result,
      requested_by: 'policy',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: command.status, result, updated_at: sql`now()` })
        .where('commands.status', 'in', ['accepted', 'executing']),
    );
}

/**
 * No command outlives its payment as under way: one whose step was lost with the worker that had begun it, and that
 * the next one had no need of, ends as the payment did.
 */
function leftCommands(db: Database, { identity, state, commands = [] }: Transition) {
  const result = { code: 'overtaken', reason: state.reason ?? `The payment has ended ${state.status}.` };
  const status = sql<CommandStatus>`case when kind = 'void' and ${state.released} then 'succeeded' else 'failed' end`;
  return db
    .updateTable('commands')
    .set({ status, result: storableJson(result), updated_at: sql`now()` })
    .where('payment_id', '=', identity.paymentId)
    .where('status', '=', 'executing')
    .where('id', 'not in', ['', ...commands.map(({ commandId }) => commandId)]);
}

function resourcesOf(state: PaymentState): OwnedResource[] {
  return [
    ...(state.providerPaymentId === undefined ? [] : [{ id: state.providerPaymentId, kind: 'payment' }]),
    ...(state.authorization ? [{ id: state.authorization.authorizationId, kind: 'authorization' }] : []),
    ...state.captures.map(({ captureId }) => ({ id: captureId, kind: 'capture' })),
  ];
}

function timelineValues(paymentId: string, entry: TimelineEntry) {
  return {
    payment_id: paymentId,
    version: entry.version,
    event: entry.event,
    kind: entry.kind,
    from_status: entry.from,
    to_status: entry.to,
    detail: entry.detail === undefined ? null : storableText(entry.detail),
    command_id: entry.commandId ?? null,
    at: new Date(entry.at),
  };
}
