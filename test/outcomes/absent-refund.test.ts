import { afterEach, describe, expect, it, vi } from 'vitest';
import { observeRefund } from '#worker/refunds/observe-refund.js';
import { refundWriter } from '#worker/refunds/refund-writer.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer } from '#database/connection';
import { adoptedRefundId } from '#database/subjects';
import { advanceRefund, observedRefund } from '#workflows/lifecycle/refund';
import { testWaitPolicy } from '../helpers/worker.js';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

describe('case 10: a refund that the provider does not show yet', () => {
  it('is not called unfounded by a worker whose clock is an hour fast', async () => {
    stage = await openStage();
    const { paymentId } = stage.identity;
    const { url: baseUrl, clientId, clientSecret } = stage.sandbox;
    const providers = new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        webhookSecret: 'unused-by-a-worker',
        webhookAuthentication: 'signature',
        baseUrl,
        clientId,
        clientSecret,
      },
    ]);
    const changes = new ChangeAnnouncer(stage.databaseUrl);
    const patience = { ...testWaitPolicy, outcomeHorizonMs: 600_000 };
    const claim = { kind: 'refund', providerRefundId: 'REF-NOT-SHOWN' } as const;
    const position = { state: observedRefund(claim, paymentId, patience, Date.now()), version: 0 };
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    const shop = { environment: 'sandbox', application: 'shop' };
    const identity = { ...shop, refundId: adoptedRefundId(shop, 'REF-NOT-SHOWN') };
    const { event, at } = await outcomeOf(
      observeRefund(
        { context: { db: stage.db, providers, changes, runs: noRuns }, writer: refundWriter },
        { identity, ...position, timeline: [] },
      ),
    );
    expect(event.type).toBe('refundFoundMissing');
    expect(advanceRefund(position, event, at).position.state.status).toBe('observed');
    await Promise.all([providers.close(), changes.close()]);
  });
});
