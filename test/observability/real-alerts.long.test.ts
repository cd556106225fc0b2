import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { executeElsewhere } from '../e2e/elsewhere.js';
import { providerIdOf } from '../e2e/payment-rows.js';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { AlertStage } from './alert-stage.js';
import { rules } from './alert-rules.js';
import { hasPrometheus } from './prometheus.js';

/** By the test that causes them, in this order: each begins with what the one before has left. */
const caused = {
  'a capture of which nobody can tell the outcome': [
    'EngineDoubtLasts',
    'EngineProviderFails',
    'EngineReviewWaits',
  ],
  'a provider that takes six seconds': ['EngineProviderSlow'],
  'a payment that another system makes with the same account': ['EngineEventsParked'],
  'a plan that was changed in the dashboard': ['EngineDrift'],
  'an account without room for our webhook': ['EngineWebhookMissing'],
  'an order service that answers 500': ['EngineNotificationEndpointFails', 'EngineNotificationsLate'],
  'an API without PostgreSQL': ['EngineApiFails', 'EngineDatabaseDown'],
  'PostgreSQL is back, and the provider delivers again': ['EngineWebhooksLate'],
  'a lock that all requests wait for': ['EnginePoolExhausted'],
  'a worker that is frozen for a while': ['EngineWorkersBehind'],
  'no worker, and then an API without Temporal': [
    'EngineCommandNotTaken',
    'EngineDeadlinePassed',
    'EngineInboxStands',
    'EngineProcessDown',
    'EngineReconciliationStands',
  ],
  'Temporal has forgotten runs': ['EngineRunsUnknown'],
  'a release whose workflow code fails': ['EngineRunsBlocked', 'EngineWorkflowTasksFail'],
} as const;

it('every alert is caused here', () => {
  expect(Object.values(caused).flat().toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

// Not registered without it: a skipped test counts as failed.
if (hasPrometheus) {
  const stage = forAllTests(() => AlertStage.start());

  it('nothing fires while payments are made', async () => {
    const { orders } = stage.observed;
    const { id } = await stage.held();
    await orders.capture(id);
    await orders.reaches(id, 'captured');
    await until(
      () => stage.prometheus.targetsUp(),
      (up) => up === 2,
      'Prometheus to read both',
    );
    await until(
      () => stage.prometheus.firing(),
      (firing) => firing.length === 0,
      'quiet',
    );
  });

  /** A cause, after which alerts fire that did not before; and what ends it. */
  function fires(
    name: keyof typeof caused,
    cause: (done: AbortSignal) => Promise<unknown>,
    end: () => Promise<unknown> = async () => await Promise.resolve(),
  ): void {
    it(`${name}: ${caused[name].join(', ')}`, async () => {
      const alerts: readonly string[] = caused[name];
      await until(
        () => stage.prometheus.firing(),
        (firing) => !firing.some((alert) => alerts.includes(alert)),
        'the alerts not to fire yet',
      );
      const done = new AbortController();
      const waiting = new Set(alerts);
      const going = cause(done.signal);
      await until(
        async () => {
          for (const alert of await stage.prometheus.firing()) waiting.delete(alert);
          return [...waiting];
        },
        (left) => left.length === 0,
        'the alerts to fire',
        120_000,
      ).finally(() => done.abort());
      await going;
      await end();
    });
  }

  fires(
    'a capture of which nobody can tell the outcome',
    async () => {
      const { id } = await stage.held();
      await stage.fault('authorization.capture', { kind: 'status', status: 500, times: 1 });
      await stage.fault('payment.get', { kind: 'status', status: 503 });
      await stage.observed.orders.capture(id);
    },
    async () => await stage.engine.sandbox.clearFaults(),
  );

  fires(
    'a provider that takes six seconds',
    async (done) => {
      await stage.fault('*', { kind: 'delay', delayMs: 6_000 });
      await stage.meanwhile(() => stage.observed.orders.order(), done);
    },
    async () => await stage.engine.sandbox.clearFaults(),
  );

  fires('a payment that another system makes with the same account', async () => {
    const { id } = await stage.engine.sandbox.callAsOwner<{ id: string }>('POST', '/v1/payments/payment', {
      intent: 'authorize',
      payer: { payment_method: 'paypal' },
      transactions: [{ amount: { total: '10.00', currency: 'USD' } }],
      redirect_urls: { return_url: 'https://other.example/r', cancel_url: 'https://other.example/c' },
    });
    await executeElsewhere(stage.engine, id);
  });

  fires(
    'a plan that was changed in the dashboard',
    async () => {
      const subscriptions = new SubscriptionStage(stage.engine);
      const { body: plan } = await subscriptions.plan();
      await stage.silence();
      await subscriptions.repriceElsewhere(plan.id, '12.00');
    },
    async () => await stage.engine.sandbox.clearFaults(),
  );

  fires(
    'an account without room for our webhook',
    async () => await stage.crowdOutOurWebhook(),
    async () => {
      await stage.makeRoomForWebhooks();
      await until(
        () => stage.prometheus.firing(),
        (firing) => !firing.includes('EngineWebhookMissing'),
        'our webhook to be registered again',
      );
    },
  );

  fires('an order service that answers 500', async (done) => {
    stage.receiver.answer = (response) => response.writeHead(500).end();
    const { url } = stage.receiver;
    const { orders } = stage.observed;
    expect((await orders.post('/v1/notification-endpoints', randomUUID(), { url })).status).toBe(201);
    // After some failures nothing is sent for a while, also of what is told later.
    await stage.meanwhile(() => orders.order(), done);
  });

  fires('an API without PostgreSQL', async (done) => {
    const { orders } = stage.observed;
    const { body } = await orders.order();
    await orders.reaches(body.id, 'awaiting_approval');
    stage.api.database.refuse();
    // The provider's deliveries of it fail, and are repeated.
    await stage.engine.sandbox.approve(await providerIdOf(stage.engine, body.id));
    await stage.meanwhile(() => orders.order(), done);
  });

  fires('PostgreSQL is back, and the provider delivers again', async () => {
    stage.api.database.restore();
    await Promise.resolve();
  });

  fires('a lock that all requests wait for', async (done) => {
    const { redirect } = await stage.held();
    await stage.engine.db.transaction().execute(async (trx) => {
      await sql`lock table payments in access exclusive mode`.execute(trx);
      // Of a key and of payers: no caller takes all connections.
      const callers = Array.from({ length: 12 }, () => [
        stage.meanwhile(() => stage.observed.orders.order(), done),
        stage.meanwhile(() => fetch(redirect, { redirect: 'manual' }), done),
      ]).flat();
      await until(async () => await Promise.resolve(done.aborted), Boolean, 'the alert');
      void Promise.allSettled(callers);
    });
  });

  fires('a worker that is frozen for a while', async (done) => {
    const { worker, orders } = stage.observed;
    worker.pause();
    const ordered = Array.from({ length: 40 }, () => orders.order().catch(() => undefined));
    await Promise.all(ordered);
    await wait(8_000);
    worker.resume();
    await until(async () => await Promise.resolve(done.aborted), Boolean, 'the alert');
  });

  const forgotten: string[] = [];
  fires(
    'no worker, and then an API without Temporal',
    async () => {
      const { orders } = stage.observed;
      for (let nth = 0; nth < 6; nth += 1) forgotten.push((await stage.held()).id);
      const { body: open } = await orders.order();
      await orders.reaches(open.id, 'awaiting_approval');
      // Its capture window ends in a few seconds.
      await stage.engine.sandbox.configure({ dayLengthMs: 300 });
      await stage.held();
      await stage.observed.closeWorkers();
      const [captured] = forgotten;
      expect((await orders.capture(captured!, { amount: { value: '1.00', currency: 'USD' } })).status).toBe(
        202,
      );
      stage.api.temporal.refuse();
      await stage.engine.sandbox.approve(await providerIdOf(stage.engine, open.id));
    },
    async () => {
      await stage.engine.sandbox.configure({});
      stage.api.temporal.restore();
    },
  );

  fires('Temporal has forgotten runs', async () => {
    for (const id of forgotten) await stage.forgetRun(id);
    // What a round has found is shown until the next one.
    await stage.observed.startWorker({ RECONCILE_INTERVAL_MS: '25000', RECONCILE_LOST_AFTER_MS: '1000' });
  });

  fires('a release whose workflow code fails', async (done) => {
    const held: string[] = [];
    for (let nth = 0; nth < 8; nth += 1) held.push((await stage.held()).id);
    await stage.observed.closeWorkers();
    await stage.observed.startWorker({ WORKFLOW_BUNDLE: stage.brokenBundle() });
    for (const id of held) {
      if (done.aborted) break;
      await stage.observed.orders.capture(id).catch(() => undefined);
    }
  });
}
