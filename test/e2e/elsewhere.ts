import { randomUUID } from 'node:crypto';
import { PaymentsClient } from '#payments-client';
import type { Engine } from '../helpers/engine.js';

/** The provider as another system of the same account uses it. */
export async function elsewhere<T>(
  { sandbox }: Pick<Engine, 'sandbox'>,
  use: (client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { url: baseUrl, clientId, clientSecret } = sandbox;
  const client = new PaymentsClient({ baseUrl, clientId, clientSecret });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

export async function executeElsewhere(engine: Engine, providerPaymentId: string) {
  await engine.sandbox.approve(providerPaymentId);
  return await elsewhere(engine, async ({ payments }) => {
    const { payerId } = await payments.get(providerPaymentId);
    return await payments.execute(providerPaymentId, { payerId: payerId ?? '' }, { requestId: randomUUID() });
  });
}
