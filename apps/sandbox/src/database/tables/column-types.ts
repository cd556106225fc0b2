import type { ColumnType, JSONColumnType } from 'kysely';

/*
 * Amounts are whole minor units of the row's currency (`bigint` in PostgreSQL, read as a safe integer).
 * Instants are wall-clock, to the millisecond.
 */

/** A JSON document stored as it was written: `json`, not `jsonb`, so that key order survives. */
export type Document<Value extends object> = JSONColumnType<Value>;
export type Instant = ColumnType<Date, Date, Date>;
export type OptionalInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;
