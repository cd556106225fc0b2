import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';

/** The tables of the resources that an application names by their ids. */
type OwnTable =
  'authorizations' | 'captures' | 'payments' | 'payout_batches' | 'refunds' | 'sales' | 'webhooks';

type RowOf<Table extends OwnTable> = Selectable<Tables[Table]>;

/**
 * A resource of the application itself: any other does not exist for it.
 * @throws ApiError INVALID_RESOURCE_ID.
 */
export async function ownRow<Table extends OwnTable>(
  database: Kysely<Tables>,
  table: Table,
  clientId: string,
  id: string,
): Promise<RowOf<Table>> {
  const row = await queryOf(database, table, clientId, id).executeTakeFirst();
  if (row === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return row as RowOf<Table>;
}

/** The same, locked until the transaction ends. */
export async function lockOwnRow<Table extends OwnTable>(
  transaction: Transaction<Tables>,
  table: Table,
  clientId: string,
  id: string,
): Promise<RowOf<Table>> {
  const row = await queryOf(transaction, table, clientId, id).forUpdate().executeTakeFirst();
  if (row === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return row as RowOf<Table>;
}

function queryOf(database: Kysely<Tables>, table: OwnTable, clientId: string, id: string) {
  return database.selectFrom(table).selectAll().where('id', '=', id).where('client_id', '=', clientId);
}
