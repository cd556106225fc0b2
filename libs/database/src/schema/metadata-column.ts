import type { ColumnType } from 'kysely';

/** What an order service keeps with its order. */
export type Metadata = Readonly<Record<string, string>>;

/** Written with the order, as JSON; empty if it is not given. */
export type MetadataColumn = ColumnType<Metadata, string | undefined, never>;
