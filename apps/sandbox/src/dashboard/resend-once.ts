import type { SandboxContext } from '../context/sandbox-context.js';
import { resendEvent } from '../event-history/resend-event.js';

/** The last delivery of an event when the form was made; 0 when there is none. */
export async function lastDeliveryOf({ database }: SandboxContext, eventId: string): Promise<number> {
  const { last } = await database
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

export type ResendOutcome = 'resent' | 'resent-before' | 'resent-to-nobody';

/** Resends events for operators: a form that is sent twice, by a double click or from the history, sends once. */
export class EventResender {
  /** This process is the only writer of its database, so a lock in memory is enough. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(private readonly context: SandboxContext) {}

  /**
   * @param webhookId undefined: every webhook that subscribes to the event's type.
   * @throws ApiError VALIDATION_ERROR for another application's webhook.
   */
  resend(
    event: { id: string; client_id: string },
    webhookId: string | undefined,
    lastDelivery: number,
  ): Promise<ResendOutcome> {
    const before = this.#turns.get(event.id) ?? Promise.resolve();
    const turn = before
      .catch(() => undefined)
      .then(() => this.#resendUnlessSent(event, webhookId, lastDelivery))
      .finally(() => {
        if (this.#turns.get(event.id) === turn) this.#turns.delete(event.id);
      });
    this.#turns.set(event.id, turn);
    return turn;
  }

  async #resendUnlessSent(
    { id, client_id }: { id: string; client_id: string },
    webhookId: string | undefined,
    lastDelivery: number,
  ): Promise<ResendOutcome> {
    if ((await lastDeliveryOf(this.context, id)) !== lastDelivery) return 'resent-before';
    await resendEvent(this.context, client_id, id, webhookId === undefined ? undefined : [webhookId]);
    return (await lastDeliveryOf(this.context, id)) === lastDelivery ? 'resent-to-nobody' : 'resent';
  }
}
