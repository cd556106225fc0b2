import type { Database } from '../../database/src/database.js';
import type { PaymentRow, WebhookEventRow } from '../../database/src/schema.js';
import { leaseWebhookEvent, lockPaymentOf, markWebhookEvent } from '../../database/src/webhook-events.js';
import type { PaymentRuns } from '../../runs/src/payment-runs.js';
import { type EventRoute, routeEvent } from './event-route.js';

/** A dispatcher that dies in between loses the event after this long, and another one takes it. */
const leaseMs = 30_000;

/** What a run must be told, and the payment that it is about. */
interface Told {
  readonly payment: PaymentRow;
  readonly route: Exclude<EventRoute, { kind: 'settle' }>;
}

/** Brings one journaled event to its run. */
export class EventDispatch {
  constructor(
    private readonly db: Database,
    private readonly runs: PaymentRuns,
  ) {}

  /**
   * Does nothing for an event that is settled, or leased to another dispatcher.
   *
   * @throws {TemporalAwayError} after giving the event back for the next sweep.
   */
  async dispatch(id: number): Promise<void> {
    const event = await leaseWebhookEvent(this.db, id, leaseMs);
    if (!event) return;
    const told = await this.routeUnderLock(event);
    if (told) await this.tell(event, told);
  }

  /** @returns whose run must be told what, or undefined when the event is settled without it. */
  private async routeUnderLock(event: WebhookEventRow): Promise<Told | undefined> {
    return await this.db.transaction().execute(async (trx) => {
      const payment = await lockPaymentOf(trx, event);
      const route = routeEvent(event, payment);
      if (route.kind !== 'settle') return payment && { payment, route };
      await markWebhookEvent(trx, event.id, route.status, {
        detail: route.detail,
        ...(payment && { paymentId: payment.id }),
      });
      return undefined;
    });
  }

  /**
   * Tells the run first and marks after: dying in between tells twice, and the run knows the event's id. The other way
   * round the event would be lost.
   *
   * @throws {TemporalAwayError} after giving the event back for the next sweep.
   */
  private async tell(event: WebhookEventRow, told: Told): Promise<void> {
    let wasTaken: boolean;
    try {
      wasTaken = await this.isTaken(event, told);
    } catch (error) {
      await markWebhookEvent(this.db, event.id, 'received', { detail: 'the run could not be told yet' });
      throw error;
    }
    const taken = told.route.kind === 'startRefund' ? 'told to the run of the refund' : 'signalled';
    await markWebhookEvent(this.db, event.id, wasTaken ? 'applied' : 'ignored', {
      paymentId: told.payment.id,
      detail: wasTaken ? taken : 'late: the run has ended',
    });
  }

  private async isTaken(event: WebhookEventRow, { payment, route }: Told): Promise<boolean> {
    const { environment, application } = event;
    if (route.kind === 'signal') {
      return await this.runs.signal({ environment, application, paymentId: payment.id }, route.message);
    }
    const { refundId, claim } = route;
    return await this.runs.startRefund(
      {
        identity: { environment, application, refundId },
        claim,
        paymentId: payment.id,
        patience: payment.state.order.patience,
      },
      { id: event.event_id, event: { type: 'refundNotified', eventType: event.event_type } },
    );
  }
}
