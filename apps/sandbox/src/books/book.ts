import { sql, type Insertable } from 'kysely';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { Tables } from '../database/tables.js';

/** The transaction that also changes the state: books and states cannot differ. */
export type Booking = Pick<UnitOfWork, 'transaction' | 'now' | 'requestId'>;

/** A movement of `amount_minor` (whole minor units, more than zero) from one account of the books to another. */
export type Movement = Omit<Insertable<Tables['book_entries']>, 'request_id' | 'created_at'>;

/** Writes a movement and its two postings in one statement, so that no entry exists without both of them. */
export async function book(booking: Booking, movement: Movement, from: string, to: string): Promise<void> {
  const values = { ...movement, request_id: booking.requestId, created_at: booking.now };
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
