import { sql, type Kysely, type Transaction } from 'kysely';
import type { z } from 'zod';
import type { Application } from '../applications/applications.js';
import { lockAccount, MOST_WEBHOOKS_OF_AN_ACCOUNT } from '../applications/webhook-limit.js';
import type { Tables, WebhookRow } from '../database/tables.js';
import { EVERY_EVENT_TYPE } from '../events/event-types.js';
import { ApiError } from '../http/api-error.js';
import { newResourceId, sha256Hex } from '../http/identifiers.js';
import { ownRow } from '../server/own-row.js';
import type { WebhookListQuery, webhookPatch, webhookRequest } from './webhook-request.js';

export function createWebhook(
  database: Kysely<Tables>,
  application: Application,
  request: z.output<typeof webhookRequest>,
): Promise<WebhookRow> {
  return database.transaction().execute(async (transaction) => {
    const accountId = await lockAccountOf(transaction, application.clientId);
    await refuseTakenUrl(transaction, application.clientId, request.url);
    const { count } = await transaction
      .selectFrom('webhooks')
      .select((column) => column.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count >= MOST_WEBHOOKS_OF_AN_ACCOUNT) throw new ApiError('WEBHOOK_NUMBER_LIMIT_EXCEEDED');
    return transaction
      .insertInto('webhooks')
      .values({
        id: newResourceId(),
        client_id: application.clientId,
        account_id: accountId,
        ...request,
        url_sha256: sha256Hex(request.url),
        created_at: new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** At most 10, so there are no pages. One that subscribes to every type matches each type. */
export function listWebhooks(
  database: Kysely<Tables>,
  { clientId, accountId }: Application,
  { anchor_type, event_type }: WebhookListQuery,
): Promise<WebhookRow[]> {
  let webhooks = database.selectFrom('webhooks').selectAll();
  webhooks =
    anchor_type === 'ACCOUNT'
      ? webhooks.where('account_id', '=', accountId)
      : webhooks.where('client_id', '=', clientId);
  if (event_type !== undefined) {
    webhooks = webhooks.where(sql<boolean>`event_types && ARRAY[${event_type}, ${EVERY_EVENT_TYPE}]::text[]`);
  }
  return webhooks.orderBy('created_at').orderBy('id').execute();
}

export function updateWebhook(
  database: Kysely<Tables>,
  application: Application,
  id: string,
  patch: z.output<typeof webhookPatch>,
): Promise<WebhookRow> {
  return database.transaction().execute(async (transaction) => {
    await lockAccountOf(transaction, application.clientId);
    const webhook = await ownRow(transaction, 'webhooks', application.clientId, id);
    let { url, event_types } = webhook;
    for (const change of patch) {
      if (change.path === '/url') url = change.value;
      else event_types = change.value;
    }
    const isSameUrl = url === webhook.url;
    if (isSameUrl && isSameSet(event_types, webhook.event_types))
      throw new ApiError('WEBHOOK_PATCH_REQUEST_NO_CHANGE');
    if (!isSameUrl) await refuseTakenUrl(transaction, application.clientId, url);
    return transaction
      .updateTable('webhooks')
      .set({ url, url_sha256: sha256Hex(url), event_types })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Events that are not yet delivered to it are not delivered any more. */
export function deleteWebhook(database: Kysely<Tables>, clientId: string, id: string): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await ownRow(transaction, 'webhooks', clientId, id);
    await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    await transaction
      .updateTable('deliveries')
      .set({ state: 'abandoned' })
      .where('webhook_id', '=', id)
      .where('state', '=', 'pending')
      .execute();
  });
}

/** The account that owns the application; it cannot change until the transaction ends. */
async function lockAccountOf(transaction: Transaction<Tables>, clientId: string): Promise<string> {
  const { account_id } = await transaction
    .selectFrom('applications')
    .select('account_id')
    .where('client_id', '=', clientId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await lockAccount(transaction, account_id);
  return account_id;
}

async function refuseTakenUrl(
  transaction: Transaction<Tables>,
  clientId: string,
  url: string,
): Promise<void> {
  const taken = await transaction
    .selectFrom('webhooks')
    .select('id')
    .where('client_id', '=', clientId)
    .where('url_sha256', '=', sha256Hex(url))
    .executeTakeFirst();
  if (taken !== undefined) throw new ApiError('WEBHOOK_URL_ALREADY_EXISTS');
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name));
}
