import { describe, expect, inject, it } from 'vitest';
import { paymentActivities } from '#worker/payments/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer } from '#database/connection';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

describe('a run whose rows are newer than its history because a worker died', () => {
  const fixture = forAllTests(() => startRunFixture({ approval: 'immediate' }));

  it('case 17: captures what the rows show as authorized, though it still doubts the creation itself', async () => {
    await fixture.sandbox.fault({ operation: 'payment.create', kind: 'drop_reply' });
    const run = await fixture.start({ patience: { ...testWaitPolicy, firstLookMs: 600_000 } });
    await until(
      () => run.snapshot(),
      ({ state }) => state.openStep?.phase === 'doubt',
      'the creation in doubt',
    );
    await lookAndDie(run);
    await run.send({ type: 'captureRequested', commandId: 'cmd_1' });
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  /** A worker whose look writes the rows, and which dies before the history has the result. */
  async function lookAndDie(run: StartedRun): Promise<void> {
    const { url, clientId, clientSecret } = fixture.sandbox;
    const providers = new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        baseUrl: url,
        clientId,
        clientSecret,
        webhookSecret: 'not of this test, and long enough',
        webhookAuthentication: 'signature',
      },
    ]);
    const changes = new ChangeAnnouncer(inject('postgresUrl'));
    const { identity } = run;
    const { state, version } = await run.snapshot();
    const codecKeys = { current: 'test', keys: new Map() };
    const activities = paymentActivities({ db: fixture.db, changes, providers, runs: noRuns }, codecKeys);
    const { event } = await outcomeOf(activities.lookUpOutcome({ identity, state, version, timeline: [] }));
    expect(event.type).toBe('authorizationGranted');
    await Promise.all([providers.close(), changes.close()]);
  }
});
