import type { ProviderApplication } from '../../../libs/configuration/src/engine.js';
import type { Database } from '../../../libs/database/src/database.js';
import { saveProviderWebhook } from '../../../libs/database/src/provider-webhooks.js';
import type { ProviderClients } from './provider/provider-clients.js';

/**
 * Makes sure that the provider has exactly one webhook of this engine for the application, at today's address, and
 * notes its id: deliveries are signed over it. Of the account's 10 webhooks (specification 8) it uses one.
 */
export async function registerWebhook(
  db: Database,
  providers: ProviderClients,
  application: ProviderApplication,
  publicUrl: string,
): Promise<void> {
  const { webhooks } = providers.for(application);
  const prefix = new URL(`/webhooks/${application.environment}/${application.application}/`, publicUrl).href;
  const url = prefix + application.webhookSecret;
  const ours = (await webhooks.list()).filter((webhook) => webhook.url.startsWith(prefix));
  const current = ours.find((webhook) => webhook.url === url);
  for (const outdated of ours) if (outdated !== current) await webhooks.delete(outdated.id);
  const { id } = current ?? (await webhooks.create({ url, eventTypes: ['*'] }));
  await saveProviderWebhook(db, {
    environment: application.environment,
    application: application.application,
    webhookId: id,
    url: prefix,
  });
}
