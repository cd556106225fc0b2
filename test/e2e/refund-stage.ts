import { randomUUID } from 'node:crypto';
import { adoptedRefundId } from '#database/subjects';
import { listAttempts } from '#database/commands';
import { listTimeline } from '#database/transitions';
import { refundWorkflowId } from '#workflows/contract';
import { type Engine, type EngineOptions, startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';

type Refunds = PaymentView['refunds'];

const shop = { environment: 'sandbox', application: 'shop' } as const;

/**
 * An engine whose payments are refunded at the provider by somebody else. By address secret, so that a test can also
 * say what a provider would not: what the engine shows must come from the read-back alone.
 */
export class RefundStage {
  private constructor(readonly engine: Engine) {}

  static async start(
    options: Pick<EngineOptions, 'codecKeys' | 'patience' | 'reconciles'> = {},
  ): Promise<RefundStage> {
    const engine = await startEngine({
      approval: 'immediate',
      webhookAuthentication: 'addressSecret',
      ...options,
    });
    await until(
      () => engine.db.selectFrom('provider_webhooks').selectAll().execute(),
      (webhooks) => webhooks.length === 1,
      'the webhook to be registered',
    );
    return new RefundStage(engine);
  }

  async reset(): Promise<void> {
    await this.engine.sandbox.clearFaults();
    await this.configure({});
  }

  async configure(settings: Record<string, unknown>): Promise<void> {
    await this.engine.sandbox.configure({ approval: 'immediate', ...settings });
  }

  /** Its run has closed. */
  async capturedPayment(): Promise<{ readonly id: string; readonly captureId: string }> {
    const { orders } = this.engine;
    const { body } = await orders.order({ capturePolicy: { mode: 'automatic' } });
    const { captures } = await orders.reaches(body.id, 'captured');
    return { id: body.id, captureId: captures[0]?.id ?? '' };
  }

  /** Waits until the payment shows so many refunds in this status, and none in another. */
  async shows(id: string, status: string, count: number): Promise<PaymentView> {
    return await until(
      () => this.engine.orders.get(id),
      ({ refunds }) => refunds.length === count && refunds.every((each) => each.state === status),
      `${count} ${status} refund(s) of ${id}`,
    );
  }

  async showsOne(id: string, status: string): Promise<Refunds[number]> {
    const [refund] = (await this.shows(id, status, 1)).refunds;
    return refund!;
  }

  /** Tells the engine of a refund as the provider would, whether there is one or not. @returns the answer's status. */
  async tell(refundId: string, resource: Record<string, unknown>): Promise<number> {
    const response = await fetch(this.engine.webhookUrls[0], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `WH-${randomUUID()}`,
        create_time: new Date().toISOString(),
        resource_type: 'refund',
        trigger_event: 'PAYMENT.CAPTURE.REFUNDED',
        resource: { id: refundId, state: 'completed', ...resource },
        links: [],
      }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Has the provider answer for each refund otherwise than it is. */
  async showRefundsAs(add: Record<string, unknown>): Promise<void> {
    await this.engine.sandbox.clearFaults();
    await this.engine.sandbox.fault({ kind: 'reshape', operation: 'refund.get', add, times: null });
  }

  /** @param providerRefundId of one that was made elsewhere. */
  async rowOf(providerRefundId: string) {
    const id = adoptedRefundId(shop, providerRefundId);
    const row = await this.engine.db
      .selectFrom('refunds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { ...row, timeline: await listTimeline(this.engine.db, id) };
  }

  async eventsOf(paymentId: string) {
    return await this.engine.db
      .selectFrom('webhook_events')
      .selectAll()
      .where('subject_id', '=', paymentId)
      .execute();
  }

  /** The calls that asked the provider for a refund, of whatever payment. */
  async refundPosts() {
    return await this.engine.db
      .selectFrom('api_calls')
      .selectAll()
      .where('operation', 'in', ['capture.refund', 'sale.refund'])
      .execute();
  }

  /** The keys under which the provider was asked for it. */
  async keysOf(refundId: string): Promise<string[]> {
    const attempts = await listAttempts(this.engine.db, refundId);
    return [...new Set(attempts.map(({ request_id }) => request_id))];
  }

  /** @param providerRefundId of one that was made elsewhere. */
  async historyOf(providerRefundId: string) {
    return await this.historyOfOwn(adoptedRefundId(shop, providerRefundId));
  }

  async historyOfOwn(refundId: string) {
    const workflowId = refundWorkflowId({ ...shop, refundId });
    return (await this.engine.temporal.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
  }

  async close(): Promise<void> {
    await this.engine.close();
  }
}
