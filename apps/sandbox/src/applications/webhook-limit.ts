import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';

/** Section 8 of the interface. */
export const MOST_WEBHOOKS_OF_AN_ACCOUNT = 10;

/** Changes of one account's webhooks run one after the other: otherwise two could both be the tenth. */
export async function lockAccount(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
