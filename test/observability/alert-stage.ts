import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import { TcpProxy } from '../api/tcp-proxy.js';
import { elsewhere } from '../e2e/elsewhere.js';
import { providerIdOf } from '../e2e/payment-rows.js';
import { brokenBundle } from '../helpers/broken-bundle.js';
import type { Engine } from '../helpers/engine.js';
import { forgetRun } from '../helpers/forget-run.js';
import { NotificationReceiver } from '../helpers/notification-receiver.js';
import { until } from '../helpers/until.js';
import { type ObservedEngine, startObserved } from './observed-engine.js';
import { Prometheus } from './prometheus.js';

const owner = { environment: 'sandbox', application: 'shop' } as const;

/** An engine whose API can lose PostgreSQL and Temporal, whose worker can be away, and which Prometheus watches. */
export class AlertStage {
  private readonly folder = mkdtempSync(join(tmpdir(), 'alert-stage-'));

  private constructor(
    readonly observed: ObservedEngine,
    readonly prometheus: Prometheus,
    readonly receiver: NotificationReceiver,
    readonly api: { readonly database: TcpProxy; readonly temporal: TcpProxy },
  ) {}

  static async start(): Promise<AlertStage> {
    let api: AlertStage['api'] | undefined;
    const observed = await startObserved(often, {}, async ({ databaseUrl }) => {
      const url = new URL(databaseUrl);
      const database = await TcpProxy.to(url.hostname, Number(url.port));
      const temporal = await TcpProxy.before(inject('temporalAddress'));
      api = { database, temporal };
      url.host = `127.0.0.1:${database.port}`;
      return {
        DATABASE_URL: url.href,
        TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
        ANSWER_WITHIN_MS: '1000',
      };
    });
    const { metrics } = observed;
    const prometheus = await Prometheus.start({
      'engine-api': Number(new URL(metrics.api).port),
      'engine-worker': Number(new URL(metrics.worker).port),
    });
    const receiver = await NotificationReceiver.start();
    return new AlertStage(observed, prometheus, receiver, api!);
  }

  get engine(): Engine {
    return this.observed.engine;
  }

  /** @returns the payment and the provider's redirect of its payer, who has come back. */
  async held(): Promise<{ readonly id: string; readonly redirect: string }> {
    const { orders } = this.observed;
    const { body } = await orders.order();
    await orders.reaches(body.id, 'awaiting_approval');
    const redirect = await this.engine.sandbox.approve(await providerIdOf(this.engine, body.id));
    await orders.comeBack(redirect);
    await orders.reaches(body.id, 'authorized');
    return { id: body.id, redirect };
  }

  async fault(operation: string, kind: Record<string, unknown>): Promise<void> {
    const { sandbox } = this.engine;
    await sandbox.fault({ clientId: sandbox.clientId, operation, times: null, ...kind });
  }

  /** Nobody reports what is done at the provider from now on, and no event can be searched for. */
  async silence(): Promise<void> {
    await this.fault('*', { kind: 'drop_delivery' });
    await this.fault('event.list', { kind: 'status', status: 503 });
  }

  /** Somebody else takes the place of our webhook at the provider, whose worker repairs it every second. */
  async crowdOutOurWebhook(): Promise<void> {
    await elsewhere(this.engine, async ({ webhooks }) => {
      const register = async () =>
        await webhooks
          .create({ url: `https://other.example/${randomUUID()}`, eventTypes: ['*'] })
          .then(Boolean, () => false);
      await until(
        async () => {
          const isOurs = ({ url }: { url: string }) => url.startsWith(this.observed.api.url);
          for (const { id } of (await webhooks.list()).filter(isOurs)) await webhooks.delete(id);
          while (await register());
          return (await webhooks.list()).some(isOurs);
        },
        (isThere) => !isThere,
        'others to have all places',
      );
    });
  }

  async makeRoomForWebhooks(): Promise<void> {
    await elsewhere(this.engine, async ({ webhooks }) => {
      for (const { id, url } of await webhooks.list())
        if (url.startsWith('https://other.example/')) await webhooks.delete(id);
    });
  }

  /** As the loss of Temporal's store. */
  async forgetRun(paymentId: string): Promise<void> {
    await forgetRun(this.engine.temporal, paymentWorkflowId({ ...owner, paymentId }));
  }

  /** Work as long as it takes, and then until the signal, so that there is something to count. */
  async meanwhile(work: () => Promise<unknown>, done: AbortSignal): Promise<void> {
    while (!done.aborted) await work().catch(() => undefined);
  }

  brokenBundle(): string {
    return brokenBundle(this.folder);
  }

  async close(): Promise<void> {
    await this.prometheus.close();
    this.receiver.close();
    this.api.database.restore();
    this.api.temporal.restore();
    await this.observed.close();
    this.api.database.close();
    this.api.temporal.close();
    rmSync(this.folder, { recursive: true });
  }
}

const often = {
  WEBHOOK_SWEEP_INTERVAL_MS: '1000',
  WEBHOOK_REPAIR_INTERVAL_MS: '1000',
  RECONCILE_INTERVAL_MS: '2000',
  RECONCILE_OVERLAP_MS: '3000',
  RECONCILE_LOST_AFTER_MS: '2000',
  OUTCOME_HORIZON_MS: '4000',
};
