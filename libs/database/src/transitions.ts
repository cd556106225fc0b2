import { sql } from 'kysely';
import type { PaymentIdentity } from '../../workflows/src/contract.js';
import type { TimelineEntry } from '../../workflows/src/lifecycle/timeline.js';
import type { MoneyStep, PaymentEvent, PaymentState } from '../../workflows/src/lifecycle/payment.js';
import type { Database } from './database.js';
import { type NewApiCall, apiCallValues } from './api-calls.js';
import { releaseParkedEvents } from './webhook-events.js';
import type { AttemptOutcome, AttemptRow, CommandKind, CommandResult, CommandStatus } from './schema.js';
import { storableJson, storableText } from './storable-text.js';

/** Keys of commands that a policy gave; no request may bear one. */
export const policyKeyPrefix = 'policy:';

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

export interface NewAttempt {
  /** What it does and for which command: the same whatever led to it. */
  readonly stepName: string;
  readonly attemptNumber: number;
  readonly step: MoneyStep;
  readonly requestId: string;
  readonly reference: string;
  readonly begunAt: Date;
  /** The latest instant at which this process may still send the POST. */
  readonly sendBy: Date;
}

export interface Settlement {
  readonly attemptId: number;
  readonly outcome: AttemptOutcome;
  readonly event: PaymentEvent;
  readonly at: Date;
}

/**
 * Commits an attempt together with the state that it is made in: before the POST, so that a crash leaves evidence.
 *
 * @returns the attempt's id, or undefined when this attempt was begun before, by whomever.
 */
export async function beginAttempt(
  db: Database,
  transition: Transition,
  attempt: NewAttempt,
): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    const mine = await trx
      .insertInto('attempts')
      .values({
        payment_id: transition.identity.paymentId,
        step_name: attempt.stepName,
        attempt_number: attempt.attemptNumber,
        step: storableJson(attempt.step),
        request_id: attempt.requestId,
        reference: attempt.reference,
        begun_at: attempt.begunAt,
        send_by: attempt.sendBy,
        outcome: null,
        event: null,
        settled_at: null,
      })
      .onConflict((conflict) => conflict.columns(['payment_id', 'step_name', 'attempt_number']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!mine) return undefined;
    await writeRows(trx, transition);
    return mine.id;
  });
}

/**
 * Commits what came of an attempt together with the state that follows. Only an attempt that is still open, or in
 * doubt, can be settled: a process that was thought dead cannot overwrite what has been proved since.
 *
 * @returns false when the attempt had been settled before; then nothing is written.
 */
export async function settleAttempt(
  db: Database,
  transition: Transition,
  settlement: Settlement,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const settled = await trx
      .updateTable('attempts')
      .set({
        outcome: settlement.outcome,
        event: storableJson(settlement.event),
        settled_at: settlement.at,
      })
      .where('id', '=', settlement.attemptId)
      .where((where) => where.or([where('outcome', 'is', null), where('outcome', '=', 'unknown')]))
      .returning('id')
      .executeTakeFirst();
    if (!settled) return false;
    await writeRows(trx, transition);
    await releaseParkedEvents(trx, transition.identity, transition.state);
    return true;
  });
}

/** Commits a transition that made no attempt. */
export async function writeTransition(db: Database, transition: Transition): Promise<void> {
  await db.transaction().execute((trx) => writeRows(trx, transition));
}

/** Every POST of a step, oldest first: their references are what a lookup searches for. */
export async function findAttempts(db: Database, paymentId: string, stepName: string): Promise<AttemptRow[]> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('step_name', '=', stepName)
    .orderBy('attempt_number')
    .execute();
}

/** The attempt that was made for a step, if any: what a repeated activity goes by. */
export async function findAttempt(
  db: Database,
  paymentId: string,
  stepName: string,
  attemptNumber: number,
): Promise<AttemptRow | undefined> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('step_name', '=', stepName)
    .where('attempt_number', '=', attemptNumber)
    .executeTakeFirst();
}

/** The payment's row first: its lock orders us against the dispatcher of webhook events. */
async function writeRows(db: Database, transition: Transition): Promise<void> {
  const { identity, state, version, timeline } = transition;
  await db
    .updateTable('payments')
    .set({ state: storableJson(state), status: state.status, version, updated_at: new Date() })
    .where('id', '=', identity.paymentId)
    .where('version', '<=', version)
    .execute();
  const resources = resourcesOf(identity, state);
  if (resources.length > 0) {
    await db
      .insertInto('resources')
      .values(resources)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (timeline.length > 0) {
    await db
      .insertInto('timeline')
      .values(timeline.map((entry) => timelineValues(identity.paymentId, entry)))
      .onConflict((conflict) => conflict.columns(['payment_id', 'version']).doNothing())
      .execute();
  }
  for (const command of transition.commands ?? []) await writeCommand(db, identity, command);
  const calls = transition.calls ?? [];
  if (calls.length > 0)
    await db
      .insertInto('api_calls')
      .values(calls.map((call) => apiCallValues(identity, call)))
      .execute();
}

/** A run's own policy has no request behind it: its command's row is made here. A final outcome stays. */
async function writeCommand(db: Database, identity: PaymentIdentity, command: CommandOutcome): Promise<void> {
  const result = command.result ? storableJson(command.result) : null;
  await db
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
    )
    .execute();
}

function resourcesOf({ environment, application, paymentId }: PaymentIdentity, state: PaymentState) {
  const resource = (kind: string, resource_id: string) => ({
    environment,
    application,
    resource_id,
    kind,
    payment_id: paymentId,
  });
  return [
    ...(state.providerPaymentId === undefined ? [] : [resource('payment', state.providerPaymentId)]),
    ...(state.authorization ? [resource('authorization', state.authorization.authorizationId)] : []),
    ...state.captures.map(({ captureId }) => resource('capture', captureId)),
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
