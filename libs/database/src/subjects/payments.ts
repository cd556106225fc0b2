import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import { type AmountRange, isInRange } from '../tables/amount-range.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import { endedStatuses } from '../tables/ended-payments.js';
import { type RefundWithTimeline, shownRefundColumns } from './refunds.js';
import { commandColumns, paymentColumns } from '../schema/columns.js';
import { type CommandRow, type EngineTables, type PaymentRow } from '../schema/schema.js';
import { KeptLists } from './kept-lists.js';
import { type Shown, shownVersionOf } from '../tables/shown-version.js';

/** A payment with its refunds, oldest first. */
export interface PaymentWithRefunds extends Shown<PaymentRow> {
  readonly refunds: readonly RefundWithTimeline[];
}

/** Refunds of payments that have many. */
export class KeptRefunds extends KeptLists<RefundWithTimeline> {}

/** A refund changes two or three times, so this is about a dozen refunds. Longer lists are kept. */
const fewChanges = 30;

/** The number of refunds after which a page of payments ends. */
const mostRefundsOfPage = 1_000;

/** @param kept keeps long lists until they change. */
export async function findPayment(
  db: Database,
  { environment, application, paymentId }: PaymentIdentity,
  kept = new KeptRefunds(0),
): Promise<PaymentWithRefunds | undefined> {
  const [payment] = await runPrepared(db, paymentOfOwner, [paymentId, environment, application]);
  return payment && (await withRefunds(db, payment, kept));
}

const paymentOfOwner = prepared('payment', givenPayment);

/** Payments by their ids, in one statement; those that are unknown are missing. */
export async function findPayments(
  db: Database,
  identities: readonly PaymentIdentity[],
  kept: KeptRefunds,
): Promise<ReadonlyMap<string, PaymentWithRefunds>> {
  const columns = [
    identities.map(({ paymentId }) => paymentId),
    identities.map(({ environment }) => environment),
    identities.map(({ application }) => application),
  ];
  const found = new Map<string, PaymentWithRefunds>();
  for (const payment of await runPrepared(db, paymentsOfOwners, columns))
    found.set(payment.id, await withRefunds(db, payment, kept));
  return found;
}

const paymentsOfOwners = prepared('payments', (db) =>
  paymentsWithFewRefunds(db).where(
    sql<boolean>`(id, environment, application) in (select *
      from unnest(${parameter(1)}::text[], ${parameter(2)}::text[], ${parameter(3)}::text[]))`,
  ),
);

/** A payment together with one of its commands, both as of the same instant. */
export async function findPaymentWithCommand(
  db: Database,
  { environment, application, paymentId }: PaymentIdentity,
  commandId: string,
  kept = new KeptRefunds(0),
): Promise<{ readonly payment: PaymentWithRefunds; readonly command: CommandRow } | undefined> {
  const values = [paymentId, environment, application, commandId];
  const [found] = await runPrepared(db, paymentWithCommand, values);
  if (!found?.command) return undefined;
  const { command, ...payment } = found;
  const [created_at, updated_at] = [new Date(command.created_at), new Date(command.updated_at)];
  return { payment: await withRefunds(db, payment, kept), command: { ...command, created_at, updated_at } };
}

const paymentWithCommand = prepared('payment-with-command', (db) =>
  givenPayment(db).select((payment) =>
    jsonObjectFrom(
      payment
        .selectFrom('commands')
        .select(commandColumns.map((column) => `commands.${column}` as const))
        .where('commands.id', '=', parameter<string>(4))
        .whereRef('commands.subject_id', '=', 'payments.id'),
    ).as('command'),
  ),
);

/** For the payer routes, which know only the id: ids are unguessable and unique across applications. */
export async function findPaymentById(db: Database, paymentId: string): Promise<PaymentRow | undefined> {
  const [payment] = await runPrepared(db, paymentById, [paymentId]);
  return payment;
}

const paymentById = prepared('payment-by-id', (db) =>
  db.selectFrom('payments').select(paymentColumns).where('id', '=', parameter<string>(1)),
);

export interface PaymentFilter extends SubjectFilter<PaymentStatus> {
  readonly orderId?: string | undefined;
  readonly amount?: AmountRange | undefined;
  /** Only open payments whose hold ends before this instant. */
  readonly holdEndsBefore?: number | undefined;
}

/**
 * One page. It ends before its limit if its payments have very many refunds. The next page continues after its last
 * payment.
 */
export async function listPayments(
  db: Database,
  filter: PaymentFilter,
  kept = new KeptRefunds(0),
): Promise<{ readonly rows: readonly PaymentWithRefunds[]; readonly isCut: boolean }> {
  const all = paymentsWithFewRefunds(db).where(conditionsOf(filter));
  const found = await subjectsOf(all, filter);
  const rows: PaymentWithRefunds[] = [];
  let shown = 0;
  for (const payment of found) {
    if (shown >= mostRefundsOfPage) return { rows, isCut: true };
    const row = await withRefunds(db, payment, kept);
    rows.push(row);
    shown += row.refunds.length;
  }
  return { rows, isCut: false };
}

function conditionsOf({ orderId, amount, holdEndsBefore }: PaymentFilter): RawBuilder<boolean> {
  const conditions = [
    sql`true`,
    orderId === undefined ? undefined : sql`order_id = ${orderId}`,
    amount && isInRange(amount, { currency: sql`currency`, minor: sql`amount_minor` }),
    // The words of the index payments_held_by_age.
    holdEndsBefore === undefined
      ? undefined
      : sql`hold_until < ${holdEndsBefore} and status not in (${endedStatuses})`,
  ];
  return sql<boolean>`(${sql.join(
    conditions.filter((each) => each !== undefined),
    sql` and `,
  )})`;
}

/** The first read of a payment. */
interface PaymentWithFewRefunds extends Shown<PaymentRow> {
  /** Null if there may be many. */
  readonly refunds: readonly RefundWithTimeline[] | null;
  /** Null if there are few. */
  readonly refunds_mark: string | null;
}

async function withRefunds(
  db: Database,
  { refunds, refunds_mark: mark, ...payment }: PaymentWithFewRefunds,
  kept: KeptRefunds,
): Promise<PaymentWithRefunds> {
  if (refunds) return { ...payment, refunds };
  const found = await kept.get(payment.id, mark ?? '', read);
  // An equal mark: the refunds of the instant at which the payment was read. Otherwise the amounts would not fit.
  return found.mark === mark ? { ...payment, refunds: found.list } : await wholePayment(db, payment.id);

  async function read() {
    return await db
      .selectFrom('payments')
      .select([markOfRefunds.as('mark')])
      .select((row) => refundsOf(row).as('list'))
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow();
  }
}

/** The payment of an id, an environment and an application: the first three parameters. */
function givenPayment(db: Database) {
  return paymentsWithFewRefunds(db)
    .where('id', '=', parameter<string>(1))
    .where('environment', '=', parameter<string>(2))
    .where('application', '=', parameter<string>(3));
}

/** A payment with all its refunds, read in one statement. */
async function wholePayment(db: Database, id: string): Promise<PaymentWithRefunds> {
  return await payments(db)
    .select((payment) => refundsOf(payment).as('refunds'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

function paymentsWithFewRefunds(db: Database) {
  const areMany = sql<boolean>`payments.refund_changes > ${fewChanges}`;
  return payments(db).select((payment) => [
    payment.case().when(areMany).then(null).else(refundsOf(payment)).end().as('refunds'),
    payment.case().when(areMany).then(markOfRefunds).end().as('refunds_mark'),
  ]);
}

function payments(db: Database) {
  return db.selectFrom('payments').select(paymentColumns).select(shownVersionOf('payments'));
}

/**
 * Changes whenever a refund of the payment changes: refunds are never deleted, each write of a refund raises its version,
 * and each line of its timeline raises the payment's count.
 */
const markOfRefunds = sql<string>`(select concat_ws(' ', payments.refund_changes, count(*), sum(refunds.version))
  from refunds where refunds.payment_id = payments.id)`;

/** The function `refunds_of_payment` (migration 0037) shows the same. */
function refundsOf(payment: ExpressionBuilder<EngineTables, 'payments'>) {
  return jsonArrayFrom(
    payment
      .selectFrom('refunds')
      .select(['refunds.id', 'refunds.state', 'refunds.version', 'refunds.metadata'])
      .select(shownVersionOf('refunds'))
      .select(shownRefundColumns)
      .whereRef('refunds.payment_id', '=', 'payments.id')
      .orderBy('refunds.created_at')
      .orderBy('refunds.id'),
  );
}
