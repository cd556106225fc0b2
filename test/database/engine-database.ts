import { randomBytes } from 'node:crypto';
import { type NewCommand, acceptPayment } from '#database/commands';
import { type Database, openDatabase } from '#database/connection';
import { type LeasedEvent, leaseWebhookEvents } from '#database/events/event-lease.js';
import { paymentRecords } from '#database/transitions';
import type { WebhookEventRow } from '#database/schema';
import { type NewAttempt, type Transition, writeTransition } from '#database/transitions/write-transition.js';
import { type NewWebhookEvent, journalWebhookEvent, parkUnknownEvent } from '#database/events';
import { type PaymentIdentity, paymentSubject } from '#workflows/contract';
import type { MoneyStep, PaymentState } from '#workflows/lifecycle/payment';
import { createEngineDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { payment, settled } from '../lifecycle/payment/sample-payments.js';

export const owner = { environment: 'sandbox', application: 'shop' } as const;

export interface EngineDatabase {
  readonly url: string;
  readonly db: Database;
  close(): Promise<void>;
}

/** The engine's schema in a fresh database, with enough connections for 20 callers to meet in it. */
export async function openEngineDatabase(): Promise<EngineDatabase> {
  const database = await createEngineDatabase();
  const db = openDatabase(database.url, { poolSize: 20 });
  return {
    url: database.url,
    db,
    close: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

/** The same for the tests of a file. */
export const useEngineDatabase = (): EngineDatabase => forAllTests(openEngineDatabase);

export async function leaseWebhookEvent(
  db: Database,
  id: number,
  leaseMs: number,
): Promise<LeasedEvent | undefined> {
  const [event] = await leaseWebhookEvents(db, [id], leaseMs);
  return event;
}

export function newId(kind: string): string {
  return `${kind}_${randomBytes(8).toString('hex')}`;
}

export function newIdentity(): PaymentIdentity {
  return { ...owner, paymentId: newId('pay') };
}

export function orderCommand(identity: PaymentIdentity, asked: Partial<NewCommand> = {}): NewCommand {
  return {
    ...owner,
    id: `${identity.paymentId}:order`,
    idempotencyKey: newId('key'),
    bodyHash: 'hash-of-the-body',
    kind: 'create',
    subjectId: identity.paymentId,
    parameters: {},
    requestedBy: 'key:dev',
    ...asked,
  };
}

export function captureCommand(identity: PaymentIdentity, asked: Partial<NewCommand> = {}): NewCommand {
  return { ...orderCommand(identity), id: newId('cmd'), kind: 'capture', ...asked };
}

export function newPayment(orderId = 'order-1') {
  return {
    orderId,
    intent: 'authorize',
    state: payment('creating'),
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
  };
}

export async function storePayment(db: Database, identity = newIdentity()): Promise<PaymentIdentity> {
  await acceptPayment(db, orderCommand(identity), newPayment());
  return identity;
}

export async function storeAuthorizedPayment(db: Database): Promise<PaymentIdentity> {
  const identity = await storePayment(db);
  const state = withOwnIds(settled(payment('authorized')), identity);
  await writeTransition(db, transition(identity, state, 3));
  return identity;
}

export function transition(
  identity: PaymentIdentity,
  state: PaymentState,
  version: number,
): Transition<PaymentState> {
  return { records: paymentRecords, subject: paymentSubject(identity), state, version, timeline: [] };
}

const captureStep: MoneyStep = {
  type: 'captureAuthorization',
  commandId: 'cmd_2',
  minor: 60_00,
  final: true,
};

export function newAttempt(asked: Partial<NewAttempt> = {}): NewAttempt {
  return {
    stepName: 'cmd_2',
    attemptNumber: 0,
    step: captureStep,
    requestId: newId('request'),
    reference: newId('reference'),
    sendWithinMs: 30_000,
    ...asked,
  };
}

/** The sample payment's hold under ids of its own, so that tests that share a database do not meet. */
export function withOwnIds(state: PaymentState, { paymentId }: PaymentIdentity): PaymentState {
  const { authorization } = state;
  return {
    ...state,
    ...(state.providerPaymentId !== undefined && { providerPaymentId: `PAY-${paymentId}` }),
    ...(authorization && { authorization: { ...authorization, authorizationId: `AUTH-${paymentId}` } }),
    captures: state.captures.map((capture) => ({
      ...capture,
      captureId: `${capture.captureId}-${paymentId}`,
    })),
  };
}

export function authorizationEvent(identity: PaymentIdentity, state = 'authorized'): NewWebhookEvent {
  const authorizationId = `AUTH-${identity.paymentId}`;
  return {
    ...owner,
    eventId: newId('WH'),
    eventType: 'PAYMENT.AUTHORIZATION.CREATED',
    resource: { kind: 'authorization', id: authorizationId, state },
    resourceIds: [authorizationId, `PAY-${identity.paymentId}`],
    payload: {},
  };
}

export const newEvent = () => authorizationEvent(newIdentity());

/** Runs `work` as many times at once. */
export async function atOnce<T>(times: number, work: (nth: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: times }, (_, nth) => work(nth)));
}

export async function eventRow(db: Database, id: number): Promise<WebhookEventRow> {
  return await db.selectFrom('webhook_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** As a dispatcher takes an event. */
export async function leased(db: Database, id: number, leaseMs = 60_000): Promise<LeasedEvent> {
  const event = await leaseWebhookEvent(db, id, leaseMs);
  if (!event) throw new Error(`event ${id} is not to be had`);
  return event;
}

/** @returns false when its resource has become known. */
export async function park(db: Database, event: LeasedEvent): Promise<boolean> {
  return await db.transaction().execute(async (trx) => await parkUnknownEvent(trx, event, 'nobody knows it'));
}

/** An event about a capture, or whatever the id is of, that waits for somebody to know it. */
export async function parkedEvent(
  db: Database,
  identity: PaymentIdentity,
  resourceId: string,
  state: string,
): Promise<number> {
  const { id } = await journalWebhookEvent(db, {
    ...authorizationEvent(identity),
    resource: { kind: 'capture', id: resourceId, state },
    resourceIds: [resourceId],
  });
  if (!(await park(db, await leased(db, id)))) throw new Error(`resource ${resourceId} is known`);
  return id;
}
