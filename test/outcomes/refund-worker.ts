import { ProviderClients } from '#worker/provider/provider-clients.js';
import { refundActivities } from '#worker/refunds/index.js';
import { ChangeAnnouncer } from '#database/connection';
import { acceptRefund } from '#database/subjects';
import { type RefundIdentity, refundCommandId } from '#workflows/contract';
import { requestedRefund } from '#workflows/lifecycle/refund';
import type { Stage } from '../faults/dying-worker.js';
import { noRuns } from '../helpers/no-runs.js';
import { testWaitPolicy } from '../helpers/worker.js';

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

/** 40.00 of a capture of 100.00, requested and not sent yet. @param capture default: that of a new payment. */
export async function requestRefund(
  stage: Stage,
  identity: RefundIdentity,
  capture?: Awaited<ReturnType<typeof capturedPayment>>,
) {
  const { providerPaymentId, captureId } = capture ?? (await capturedPayment(stage));
  const claim = {
    kind: 'request',
    collected: { kind: 'capture', id: captureId },
    amount: { minor: 40_00, currency: 'USD' },
    providerPaymentId,
  } as const;
  const { paymentId } = stage.identity;
  const { refundId } = identity;
  const commandId = refundCommandId(refundId);
  const state = requestedRefund(claim, { paymentId, commandId }, testWaitPolicy, Date.now());
  const command = {
    ...shop,
    id: commandId,
    idempotencyKey: refundId,
    bodyHash: '',
    kind: 'refund' as const,
    subjectId: refundId,
    parameters: {},
    requestedBy: 'test',
  };
  await acceptRefund(stage.db, command, paymentId, () => ({ state }));
  return { state, providerPaymentId, captureId };
}
