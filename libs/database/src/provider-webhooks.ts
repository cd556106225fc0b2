import type { Database } from './database.js';

interface Owner {
  readonly environment: string;
  readonly application: string;
}

/** The engine's own webhook at the provider: its id is part of what deliveries are signed over. */
export async function findProviderWebhook(db: Database, { environment, application }: Owner) {
  return await db
    .selectFrom('provider_webhooks')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

export async function saveProviderWebhook(
  db: Database,
  webhook: Owner & { readonly webhookId: string; readonly url: string },
): Promise<void> {
  const row = {
    environment: webhook.environment,
    application: webhook.application,
    webhook_id: webhook.webhookId,
    url: webhook.url,
  };
  await db
    .insertInto('provider_webhooks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'application'])
        .doUpdateSet({ webhook_id: row.webhook_id, url: row.url }),
    )
    .execute();
}
