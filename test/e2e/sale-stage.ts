import { type Engine, startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';
import { providerIdOf } from './payment-rows.js';

/** An engine whose payers buy, and a provider that is told how their sales end. */
export class SaleStage {
  private constructor(readonly engine: Engine) {}

  static async start(): Promise<SaleStage> {
    const engine = await startEngine();
    await until(
      () => engine.db.selectFrom('provider_webhooks').selectAll().execute(),
      (webhooks) => webhooks.length === 1,
      'the webhook to be registered',
    );
    return new SaleStage(engine);
  }

  async order(order: Record<string, unknown> = {}): Promise<PaymentView> {
    const { orders } = this.engine;
    const { body } = await orders.order({ intent: 'sale', ...order });
    return await orders.reaches(body.id, 'awaiting_approval', 'completed', 'pending', 'declined');
  }

  /** Ordered, approved, and the payer is back: executed. */
  async executed(order: Record<string, unknown> = {}): Promise<PaymentView> {
    const { orders, sandbox } = this.engine;
    const { id } = await this.order(order);
    await orders.comeBack(await sandbox.approve(await providerIdOf(this.engine, id)));
    return await orders.reaches(id, 'pending', 'completed', 'declined');
  }

  /** The sale that the provider executes next stays pending, and is settled after so long. */
  async leavePending(settlesAs: 'completed' | 'denied', afterMs: number): Promise<void> {
    const { sandbox } = this.engine;
    const { clientId } = sandbox;
    await sandbox.fault({ clientId, kind: 'pending', operation: 'payment.execute', settlesAs, afterMs });
  }

  async dropDeliveries(): Promise<void> {
    const { sandbox } = this.engine;
    const { clientId } = sandbox;
    await sandbox.fault({ clientId, operation: '*', kind: 'drop_delivery', times: null });
  }

  async eventsOf(paymentId: string) {
    return await this.engine.db
      .selectFrom('webhook_events')
      .select(['event_id', 'event_type', 'status', 'deliveries'])
      .where('subject_id', '=', paymentId)
      .orderBy('id')
      .execute();
  }

  async timelineOf(paymentId: string): Promise<string[]> {
    const { data: entries } = await this.engine.orders.read<{ data: { event: string; to: string }[] }>(
      `/v1/payments/${paymentId}/timeline`,
    );
    return entries.map(({ event, to }) => `${event} ${to}`);
  }
}
