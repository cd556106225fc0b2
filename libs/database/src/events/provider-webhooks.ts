import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { withTriedLock } from '../connection/tried-lock.js';

interface Owner {
  readonly environment: string;
  readonly application: string;
}

/** Our webhook at the provider. The signatures of deliveries cover its id. */
export async function findProviderWebhook(db: Database, { environment, application }: Owner) {
  return await db
    .selectFrom('provider_webhooks')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

/**
 * Stores the current webhook at the provider.
 *
 * @param webhook `webhookId` is null if there is none; then `problem` says why.
 */
export async function saveProviderWebhook(
  db: Database,
  webhook: Owner & {
    readonly webhookId: string | null;
    readonly url: string;
    readonly problem?: string | null;
  },
): Promise<void> {
  const { environment, application, webhookId, url, problem = null } = webhook;
  const row = { webhook_id: webhookId, url, problem };
  await db
    .insertInto('provider_webhooks')
    .values({ environment, application, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'application'])
        .doUpdateSet({ ...row, checked_at: sql<Date>`clock_timestamp()` }),
    )
    .execute();
}

/**
 * Runs `work` unless another worker is repairing the application's webhook: two concurrent repairs might both create
 * one. The lock ends with its holder's connection, so a dead worker does not block it.
 *
 * @returns undefined if another worker holds the lock.
 */
export async function withWebhookLock<T>(
  db: Database,
  { environment, application }: Owner,
  work: (trx: Database) => Promise<T>,
): Promise<T | undefined> {
  return await withTriedLock(db, `provider-webhook/${environment}/${application}`, work);
}
