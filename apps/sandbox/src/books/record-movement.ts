import { sql, type Insertable } from 'kysely';
import type { AuthorizationRow, CaptureRow, PaymentRow, Tables } from '../database/tables.js';
import type { UnitOfWork } from '../http/idempotency.js';

/** The transaction in which the state changes too: books and states cannot part. */
type Booking = Pick<UnitOfWork, 'transaction' | 'now' | 'requestId'>;

type Entry = Omit<Insertable<Tables['book_entries']>, 'client_id' | 'payment_id' | 'currency' | 'created_at'>;

const payer = (payment: PaymentRow) => `payer:${payment.payer_id ?? 'unknown'}`;
const hold = (authorizationId: string) => `hold:${authorizationId}`;
const payee = (payment: PaymentRow) => `payee:${payment.payee_id}`;

export function bookHold(
  booking: Booking,
  payment: PaymentRow,
  authorization: AuthorizationRow,
): Promise<void> {
  const { amount_minor, id } = authorization;
  const entry = {
    kind: 'hold',
    amount_minor,
    authorization_id: id,
    ...referencesOf(booking, payment),
  } as const;
  return book(booking, payment, entry, payer(payment), hold(id));
}

/** Only of a completed capture: while it is pending, the money is still held. */
export function bookCapture(booking: Booking, payment: PaymentRow, capture: CaptureRow): Promise<void> {
  const entry = {
    kind: 'capture',
    amount_minor: capture.amount_minor,
    authorization_id: capture.authorization_id,
    capture_id: capture.id,
    ...referencesOf(booking, payment),
    // The capture's own reference: two equal captures of one payment are told apart by it.
    invoice_number: capture.invoice_number,
  } as const;
  return book(booking, payment, entry, hold(capture.authorization_id), payee(payment));
}

/** Nothing to release is no entry. */
export async function bookRelease(
  booking: Booking,
  payment: PaymentRow,
  authorizationId: string,
  amountMinor: number,
): Promise<void> {
  if (amountMinor === 0) return;
  const entry = {
    kind: 'release',
    amount_minor: amountMinor,
    authorization_id: authorizationId,
    ...referencesOf(booking, payment),
  } as const;
  await book(booking, payment, entry, hold(authorizationId), payer(payment));
}

export function bookSale(booking: Booking, payment: PaymentRow): Promise<void> {
  const entry = {
    kind: 'sale',
    amount_minor: payment.amount_minor,
    ...referencesOf(booking, payment),
  } as const;
  return book(booking, payment, entry, payer(payment), payee(payment));
}

function referencesOf(booking: Booking, payment: PaymentRow) {
  return { request_id: booking.requestId, invoice_number: payment.invoice_number, custom: payment.custom };
}

/** One statement, so that no entry exists without both of its postings. */
async function book(
  booking: Booking,
  payment: PaymentRow,
  entry: Entry,
  from: string,
  to: string,
): Promise<void> {
  const values = {
    ...entry,
    client_id: payment.client_id,
    payment_id: payment.id,
    currency: payment.currency,
    created_at: booking.now,
  };
  await booking.transaction
    .with('entry', (database) =>
      database.insertInto('book_entries').values(values).returning(['id', 'amount_minor']),
    )
    .insertInto('book_postings')
    .columns(['entry_id', 'account', 'amount_minor'])
    .expression((database) =>
      database
        .selectFrom('entry')
        .select((column) => [column.ref('id').as('entry_id'), sql<string>`${from}::text`.as('account')])
        .select(sql<number>`-amount_minor`.as('amount_minor'))
        .unionAll(
          database
            .selectFrom('entry')
            .select((column) => [column.ref('id').as('entry_id'), sql<string>`${to}::text`.as('account')])
            .select('amount_minor'),
        ),
    )
    .execute();
}
