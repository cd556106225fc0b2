import { repairWebhook } from './repair-webhook.js';
import type { MaintenanceContext } from '../context.js';

/** @throws when an application's provider could not be asked; the others are repaired all the same. */
export async function repairWebhooks(context: MaintenanceContext): Promise<void> {
  const { db, providers, applications, publicUrl, logger } = context;
  const failed: string[] = [];
  for (const application of applications) {
    const name = `${application.environment}/${application.application}`;
    try {
      const repair = await repairWebhook(db, providers.for(application).webhooks, application, publicUrl);
      if (repair === 'repaired')
        logger.info({ application: name }, 'the webhook at the provider was repaired');
      if (repair === 'noRoom') {
        logger.warn({ application: name }, 'the account at the provider has no room for our webhook');
      }
    } catch {
      failed.push(name);
    }
  }
  if (failed.length > 0) throw new Error(`the webhook could not be looked after for ${failed.join(', ')}`);
}
