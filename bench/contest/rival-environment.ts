import { z } from 'zod';
import { engineEnvironment } from '#configuration';
import { PaymentsClient } from '#payments-client';

export const rivalEnvironment = engineEnvironment
  .pick({ DATABASE_URL: true, TEMPORAL_ADDRESS: true, TEMPORAL_NAMESPACE: true, CODEC_KEYS: true })
  .extend({
    PROVIDER_URL: z.url(),
    CLIENT_ID: z.string(),
    CLIENT_SECRET: z.string(),
    HTTP_PORT: z.coerce.number().int(),
  });

/** What the worker of a rival reads from its environment. */
export type RivalEnvironment = z.output<typeof rivalEnvironment>;

export function providerOf({ PROVIDER_URL, CLIENT_ID, CLIENT_SECRET }: RivalEnvironment): PaymentsClient {
  return new PaymentsClient({ baseUrl: PROVIDER_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
}
