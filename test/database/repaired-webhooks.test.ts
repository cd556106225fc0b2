import { expect, it } from 'vitest';
import type { ProviderApplication } from '#configuration';
import { findProviderWebhook } from '#database/events';
import { repairWebhooks } from '#worker/maintenance/repair-webhooks.js';
import { until } from '../helpers/until.js';
import { useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

const application = (name: string) =>
  ({ environment: 'sandbox', application: name, webhookSecret: 'secret' }) as unknown as ProviderApplication;

it('a provider that hangs does not keep the webhooks of other applications from their repair', async () => {
  const hanging = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const webhooksOf: Readonly<Record<string, object>> = {
    dead: { list: () => (asked.resolve(), hanging.promise) },
    shop: { list: async () => [], create: async (wanted: object) => ({ ...wanted, id: 'WH-1' }) },
  };
  const repaired = repairWebhooks({
    db: engine.db,
    providers: { for: ({ application: name }: ProviderApplication) => ({ webhooks: webhooksOf[name] }) },
    applications: [application('dead'), application('shop')],
    publicUrl: 'https://payments.example',
  } as never);
  await asked.promise;
  await until(
    () => findProviderWebhook(engine.db, application('shop')),
    (webhook) => webhook?.webhook_id === 'WH-1',
    'the webhook of the other application',
  );
  hanging.reject(new Error('it is away'));
  await expect(repaired).rejects.toThrow('the webhook could not be checked for sandbox/dead');
});
