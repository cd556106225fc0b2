import { repairWebhook } from './repair-webhook.js';
import type { MaintenanceContext } from '../steps/activities/context.js';

/** @throws if the provider of an application could not be reached; the others are still repaired. */
export async function repairWebhooks(context: MaintenanceContext): Promise<void> {
  const { db, providers, applications, publicUrl, logger } = context;
  const failed: string[] = [];
  for (const application of applications) {
    const name = `${application.environment}/${application.application}`;
    try {
      const repair = await repairWebhook(db, providers.for(application).webhooks, application, publicUrl);
      if (repair === 'repaired')
        logger.info(
          { application: name },
          'our webhook at the provider was missing or changed, and was repaired',
        );
      if (repair === 'noRoom') {
        logger.warn(
          { application: name },
          'the account at the provider has no room for our webhook: remove another one; payments end by polling meanwhile',
        );
      }
    } catch {
      failed.push(name);
    }
  }
  if (failed.length > 0) throw new Error(`the webhook could not be checked for ${failed.join(', ')}`);
}
