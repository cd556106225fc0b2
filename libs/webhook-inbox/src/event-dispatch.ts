import type { Database } from '../../database/src/database.js';
import type { PaymentRow, WebhookEventRow } from '../../database/src/schema.js';
import { leaseWebhookEvent, lockPaymentOf, markWebhookEvent } from '../../database/src/webhook-events.js';
import type { PaymentRuns } from '../../runs/src/payment-runs.js';
import type { PaymentMessage } from '../../workflows/src/contract.js';
import { routeEvent } from './event-route.js';

/** A dispatcher that dies in between loses the event after this long, and another one takes it. */
const leaseMs = 30_000;

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
    if (told) await this.signal(event, told.payment, told.message);
  }

  /** @returns whose run must be told what, or undefined when the event is settled without it. */
  private async routeUnderLock(
    event: WebhookEventRow,
  ): Promise<{ readonly payment: PaymentRow; readonly message: PaymentMessage } | undefined> {
    return await this.db.transaction().execute(async (trx) => {
      const payment = await lockPaymentOf(trx, event);
      const route = routeEvent(event, payment);
      if (payment && route.kind === 'signal') return { payment, message: route.message };
      if (route.kind === 'signal') return undefined;
      await markWebhookEvent(trx, event.id, route.status, {
        detail: route.detail,
        ...(payment && { paymentId: payment.id }),
      });
      return undefined;
    });
  }

  /**
   * Signals first and marks after: dying in between signals twice, and the run knows the event's id. The other way
   * round the event would be lost.
   *
   * @throws {TemporalAwayError} after giving the event back for the next sweep.
   */
  private async signal(event: WebhookEventRow, payment: PaymentRow, message: PaymentMessage): Promise<void> {
    const { environment, application } = event;
    let wasTaken: boolean;
    try {
      wasTaken = await this.runs.signal({ environment, application, paymentId: payment.id }, message);
    } catch (error) {
      await markWebhookEvent(this.db, event.id, 'received', { detail: 'the run could not be told yet' });
      throw error;
    }
    await markWebhookEvent(this.db, event.id, wasTaken ? 'applied' : 'ignored', {
      paymentId: payment.id,
      detail: wasTaken ? 'signalled' : 'late: the run has ended',
    });
  }
}
