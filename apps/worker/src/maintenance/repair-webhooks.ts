import { type ProviderApplication, nameOf } from '#configuration';
import { RejectedError } from '#payments-client';
import { mapConcurrently } from '../reconciliation/map-concurrently.js';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { repairWebhook } from './repair-webhook.js';

/** Each repair holds a connection to the database while it calls the provider. */
const concurrency = 5;

/**
 * Each application may have a provider of its own: one that hangs does not delay the others.
 *
 * @throws if the provider of an application could not be reached; the others are still repaired.
 */
export async function repairWebhooks(context: MaintenanceContext): Promise<void> {
  const repair = (application: ProviderApplication) => repairAndTell(context, application);
  const { failed } = await mapConcurrently(
    concurrency,
    context.applications,
    repair,
    Number.POSITIVE_INFINITY,
  );
  const names = failed.map(({ item }) => nameOf(item));
  if (names.length > 0) throw new Error(`the webhook could not be checked for ${names.join(', ')}`);
}

async function repairAndTell(
  { db, providers, publicUrl, logger }: MaintenanceContext,
  application: ProviderApplication,
): Promise<void> {
  const name = nameOf(application);
  const { webhooks } = providers.for(application);
  const repair = await repairWebhook(db, webhooks, application, publicUrl).catch((error: unknown) => {
    if (error instanceof RejectedError)
      logger.warn(
        { application: name, code: error.code },
        'the provider refuses our webhook: see whether it can reach PUBLIC_URL; payments end by polling meanwhile',
      );
    throw error;
  });
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
}
