import { request } from 'undici';
import { nextDeliveryAttempt } from '../clock/instants.js';
import { startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import { describeEvent } from '../events/event-representation.js';
import { dayLengthOf, type SandboxContext } from '../sandbox-context.js';
import { claimDeliveries, saveOutcome, type ClaimedDelivery, type DeliveryOutcome } from './deliveries.js';
import { signatureHeaders } from './sign-delivery.js';
import type { SigningCertificate } from './signing-certificate.js';

const MOST_AT_ONCE = 32;
/** How long at most a repeat that has become due waits for a look at the table. */
const LOOK_INTERVAL_MS = 100;
/** Beyond the time limit of an attempt, for writing down its outcome. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Delivers events to webhooks, right after they are committed and again until a 2xx. A slow receiver holds up one of
 * `MOST_AT_ONCE` attempts and nothing else.
 */
export class DeliveryDispatcher {
  readonly #looker: RecurringTask;
  readonly #attempts = new Set<Promise<void>>();

  constructor(
    private readonly context: SandboxContext,
    private readonly certificate: SigningCertificate,
    private readonly timeoutMs: number,
  ) {
    this.#looker = startRecurringTask('deliveries', LOOK_INTERVAL_MS, context.logger, () => this.#startDue());
  }

  wake(): void {
    this.#looker.wake();
  }

  /** Ends the attempts that run; what they did not deliver stays due. */
  async close(): Promise<void> {
    await this.#looker.stop();
    await Promise.all(this.#attempts);
  }

  async #startDue(): Promise<boolean> {
    const free = MOST_AT_ONCE - this.#attempts.size;
    if (free === 0) return false;
    const leaseMs = this.timeoutMs + LEASE_MARGIN_MS;
    const claimed = await claimDeliveries(this.context.database, free, leaseMs, new Date());
    for (const delivery of claimed) this.#start(delivery);
    return claimed.length > 0;
  }

  #start(delivery: ClaimedDelivery): void {
    const attempt = this.#deliver(delivery)
      // The lease runs out and the delivery is due again.
      .catch(() => this.context.logger.error({ delivery: delivery.id }, 'delivery outcome was not saved'))
      .finally(() => {
        this.#attempts.delete(attempt);
        this.#looker.wake();
      });
    this.#attempts.add(attempt);
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    await saveOutcome(this.context.database, delivery.id, await this.#attempt(delivery));
  }

  async #attempt(delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
    const { url, event } = delivery;
    if (url === null) return { state: 'abandoned', status: null };
    const fault = await this.context.faults.strikeDelivery(event.event_type, event.client_id);
    if (fault !== null) return { state: 'dropped', status: null };

    const status = await this.#post(url, delivery);
    if (status !== null && status >= 200 && status < 300) return { state: 'delivered', status };
    // Ended by our own close: not the receiver's failure, so it is due at once for the next process.
    if (status === null && this.context.closing.aborted)
      return { state: 'pending', status, dueAt: new Date() };
    const application = await this.context.applications.find(event.client_id);
    const { defaults } = this.context;
    const dayLengthMs =
      application === undefined ? defaults.dayLengthMs : dayLengthOf(application.settings, defaults);
    const dueAt = nextDeliveryAttempt(delivery.firstDueAt, delivery.attempts, dayLengthMs);
    return dueAt === null ? { state: 'abandoned', status } : { state: 'pending', status, dueAt };
  }

  /** The receiver's status; null when none came in time. Redirects are answers like any other: never followed. */
  async #post(url: string, { event, webhookId }: ClaimedDelivery): Promise<number | null> {
    const { links, closing } = this.context;
    const body = Buffer.from(JSON.stringify(describeEvent(event, links)));
    const certificateUrl = links.certificate(this.certificate.id);
    try {
      const response = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'payments-sandbox-webhooks/1.0',
          ...signatureHeaders(body, webhookId, this.certificate, certificateUrl, new Date()),
        },
        body,
        signal: AbortSignal.any([closing, AbortSignal.timeout(this.timeoutMs)]),
      });
      // The status alone acknowledges; what becomes of the body is all one.
      await response.body.dump({ limit: 16_384 }).catch(() => undefined);
      return response.statusCode;
    } catch {
      return null;
    }
  }
}
