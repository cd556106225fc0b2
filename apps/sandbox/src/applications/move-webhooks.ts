import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { lockAccount, MOST_WEBHOOKS_OF_AN_ACCOUNT } from './webhook-limit.js';

/**
 * The webhooks of an application move with it to another account, and count against that account's limit.
 * @throws ApiError VALIDATION_ERROR when that account would have more than 10.
 */
export async function moveWebhooks(
  transaction: Transaction<Tables>,
  clientId: string,
  accountId: string,
): Promise<void> {
  await lockAccount(transaction, accountId);
  await transaction
    .updateTable('webhooks')
    .set({ account_id: accountId })
    .where('client_id', '=', clientId)
    .execute();
  const { count } = await transaction
    .selectFrom('webhooks')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count > MOST_WEBHOOKS_OF_AN_ACCOUNT) {
    const issue = `It would have more than ${MOST_WEBHOOKS_OF_AN_ACCOUNT} webhooks`;
    throw ApiError.invalid('accountId', issue);
  }
}
