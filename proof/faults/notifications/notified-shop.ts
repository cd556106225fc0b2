import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { OrderService } from '../order-service.js';
import type { Notified } from './notified.js';
import type { ReadsAtReception } from './reads-at-reception.js';
import type { Receiver } from './receiver.js';
import { readAll, readResources } from './shown-resources.js';

/** Of a process that was killed the lease of a delivery ends after a minute; an endpoint may rest for five. */
const restsWithinMs = 420_000;
const lookEveryMs = 500;
/** What is due later is asked for, as an operator does after an outage. */
const soonMs = 8_000;

const registered = z.object({ id: z.string(), secret: z.string() });
const listed = z.object({
  id: z.string(),
  type: z.string(),
  subjectId: z.string(),
  deliveries: z.array(z.object({ state: z.string(), nextAttemptAt: z.coerce.date().nullable() })),
});

/** An order service that is notified: its endpoint at the engine, and the receiver behind it. */
export class NotifiedShop {
  constructor(
    readonly orderService: OrderService,
    readonly receiver: Receiver,
    readonly reads: ReadsAtReception,
    private readonly signal: AbortSignal,
  ) {}

  async register(): Promise<void> {
    const path = '/v1/notification-endpoints';
    const command = this.orderService.newCommand('register', path, { url: this.receiver.url });
    await this.orderService.submit(command, this.signal);
    this.receiver.expect(registered.parse(command.answer).secret);
    this.receiver.dieNowAndThen();
  }

  /** Waits until nothing is due and nothing changes any more. @returns what is known then. */
  async rest(): Promise<Omit<Notified, 'movements'>> {
    const deadline = Date.now() + restsWithinMs;
    let shown = await readResources(this.orderService, this.signal);
    for (;;) {
      const isOver = Date.now() >= deadline;
      if (isOver || (await this.#isAllSent())) {
        const before = shown;
        shown = await readResources(this.orderService, this.signal);
        if (isOver || (isDeepStrictEqual(shown, before) && (await this.#isAllSent()))) break;
      }
      await sleep(lookEveryMs, undefined, { signal: this.signal });
    }
    await this.reads.untilRead();
    return { receptions: this.receiver.receptions, listed: await this.#list(''), shown };
  }

  async #isAllSent(): Promise<boolean> {
    const pending = await this.#list('?state=pending');
    const late = pending.filter(({ deliveries }) =>
      deliveries.some(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) > Date.now() + soonMs),
    );
    for (const { id } of late) await this.orderService.ask(`/v1/notifications/${id}/resend`, this.signal);
    return pending.length === 0;
  }

  #list(query: string): Promise<z.infer<typeof listed>[]> {
    return readAll(this.orderService, `/v1/notifications${query}`, listed, this.signal);
  }
}
