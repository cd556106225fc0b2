import { ProviderClients } from '#worker/provider/provider-clients.js';
import { refundActivities } from '#worker/refunds/index.js';
import { ChangeAnnouncer } from '#database/connection';
import type { Stage } from '../faults/dying-worker.js';
import { noRuns } from '../helpers/no-runs.js';

export const shop = { environment: 'sandbox', application: 'shop' } as const;

export interface RefundWorker {
  readonly providers: ProviderClients;
  readonly activities: ReturnType<typeof refundActivities>;
  close(): Promise<void>;
}

/** The activities of refunds, on a stage whose payments somebody else makes. */
export function hireRefundWorker({ db, databaseUrl, sandbox }: Stage): RefundWorker {
  const { url: baseUrl, clientId, clientSecret } = sandbox;
  const providers = new ProviderClients([
    {
      ...shop,
      webhookSecret: 'unused-by-a-worker',
      webhookAuthentication: 'signature',
      baseUrl,
      clientId,
      clientSecret,
    },
  ]);
  const changes = new ChangeAnnouncer(databaseUrl);
  return {
    providers,
    activities: refundActivities({ db, providers, changes, runs: noRuns }),
    close: async () => void (await Promise.all([providers.close(), changes.close()])),
  };
}

/** A payment of 100.00 that its payer has approved, and that is captured at once. */
export async function capturedPayment(
  stage: Stage,
): Promise<{ readonly providerPaymentId: string; readonly captureId: string }> {
  const payer = stage.hireWorker();
  const created = await payer.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
  const { providerPaymentId = '' } = created.state;
  await stage.sandbox.approve(providerPaymentId);
  const { state } = await payer.take(created, { type: 'pollCameDue' });
  return { providerPaymentId, captureId: state.captures[0]?.captureId ?? '' };
}
