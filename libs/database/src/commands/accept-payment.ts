import type { Subject } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { Database } from '../connection/database.js';
import { prepared, runPrepared } from '../connection/prepared.js';
import { insertColumns } from '../connection/prepared-insert.js';
import type { CommandRow, Metadata } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import { restoredMoment } from './restores.js';
import {
  type NewCommand,
  commandOrEarlier,
  commandColumnsGiven,
  commandValues,
  withRows,
} from './command-rows.js';

export interface NewPayment {
  readonly orderId: string;
  readonly intent: string;
  readonly state: PaymentState;
  readonly description?: string;
  readonly payeeMasked?: string;
  readonly sealedLetters?: Buffer;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly metadata?: Metadata | undefined;
}

/** Commits the order of a payment and the payment's row together. */
export async function acceptPayment(
  db: Database,
  command: NewCommand,
  payment: NewPayment,
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  const values = [
    ...commandColumnsGiven.of(commandValues(command)),
    ...paymentColumnsGiven.of(paymentValues(command, payment)),
  ];
  return await commandOrEarlier(db, command, () => runPrepared(db, acceptance, values));
}

/**
 * Writes the row of a payment again that was lost when the database was restored. It is as old as the restore, so that
 * attempts which were lost with it are looked up (restores.ts).
 */
export async function insertLostPayment(db: Database, subject: Subject, payment: NewPayment): Promise<void> {
  const command = { ...subject, subjectId: subject.id };
  await db
    .insertInto('payments')
    .values({ ...paymentValues(command, payment), created_at: restoredMoment })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type PaymentValues = ReturnType<typeof paymentValues>;

function paymentValues(
  command: Pick<NewCommand, 'subjectId' | 'environment' | 'application'>,
  payment: NewPayment,
) {
  return {
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
    sealed_letters: payment.sealedLetters ?? null,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    metadata: storableJson(payment.metadata ?? {}),
  };
}

const paymentColumnsGiven = insertColumns<PaymentValues>(
  {
    id: true,
    environment: true,
    application: true,
    order_id: true,
    intent: true,
    status: true,
    state: true,
    version: true,
    description: true,
    payee_masked: true,
    sealed_letters: true,
    return_url: true,
    cancel_url: true,
    metadata: true,
  },
  commandColumnsGiven.count,
);

const acceptance = prepared('accept-payment', (db) =>
  withRows(db, commandColumnsGiven.places, [db.insertInto('payments').values(paymentColumnsGiven.places)]),
);
