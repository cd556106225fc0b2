import { nextDeliveryAttempt } from '../clock/instants.js';
import { type Found, startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import { dayLengthOf, type SandboxContext } from '../context/sandbox-context.js';
import { describeEvent } from '../events/event-representation.js';
import type { DeliveryFaultKind } from '../faults/fault-kinds.js';
import { newResourceId } from '../http/identifiers.js';
import { corruptBody, corruptSignature } from './corrupt-transmission.js';
import { postTransmission } from './deliver-transmission.js';
import {
  claimDeliveries,
  type PostponingFault,
  postponeDelivery,
  saveAttempt,
  type AttemptReport,
  type ClaimedDelivery,
  type NextStep,
} from './deliveries.js';
import { signTransmission, type Transmission } from './sign-delivery.js';
import type { SigningCertificate } from './signing-certificate.js';

const MOST_AT_ONCE = 128;
const MOST_AT_ONCE_PER_WEBHOOK = 8;
/** How late a delivery can be that another process left. What this one commits or postpones wakes the dispatcher. */
const LOOK_INTERVAL_MS = 1_000;
/** A timer may end a millisecond early. */
const TIMER_MARGIN_MS = 5;
/** After a longer delay the usual look is early enough. */
const LONGEST_TIMER_MS = 60_000;
/** After the time limit of an attempt, for writing its outcome. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Delivers events to webhooks, right after they are committed and again until a 2xx. A slow or dead receiver delays a
 * few attempts of its own and nobody else's.
 */
export class DeliveryDispatcher {
  readonly #looker: RecurringTask;
  readonly #attempts = new Set<Promise<void>>();
  readonly #running = new Map<string, number>();

  constructor(
    private readonly context: SandboxContext,
    private readonly certificate: SigningCertificate,
    private readonly timeoutMs: number,
  ) {
    this.#looker = startRecurringTask('deliveries', { idleMs: LOOK_INTERVAL_MS }, context.logger, () =>
      this.#startDue(),
    );
  }

  wake(): void {
    this.#looker.wake();
  }

  /** Ends the running attempts; what they did not deliver stays due. */
  async close(): Promise<void> {
    await this.#looker.stop();
    await Promise.all(this.#attempts);
  }

  async #startDue(): Promise<Found> {
    const total = MOST_AT_ONCE - this.#attempts.size;
    if (total === 0) return 'nothing';
    const limits = { total, perWebhook: MOST_AT_ONCE_PER_WEBHOOK, running: this.#running };
    const leaseMs = this.timeoutMs + LEASE_MARGIN_MS;
    const claimed = await claimDeliveries(this.context.database, limits, leaseMs, new Date());
    for (const delivery of claimed) this.#start(delivery);
    return claimed.length > 0 ? 'work' : 'nothing';
  }

  #start(delivery: ClaimedDelivery): void {
    const { webhookId } = delivery;
    this.#running.set(webhookId, (this.#running.get(webhookId) ?? 0) + 1);
    const attempt = this.#attempt(delivery)
      // The lease ends and the delivery is due again.
      .catch(() => this.context.logger.error({ delivery: delivery.id }, 'delivery outcome was not saved'))
      .finally(() => {
        this.#attempts.delete(attempt);
        const running = (this.#running.get(webhookId) ?? 1) - 1;
        if (running === 0) this.#running.delete(webhookId);
        else this.#running.set(webhookId, running);
        this.#looker.wake();
      });
    this.#attempts.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { database, faults } = this.context;
    const { url, event, wasPostponed } = delivery;
    const save = (report: AttemptReport, next: NextStep) =>
      saveAttempt(database, delivery, report, next, new Date());
    if (url === null) return save(nothingSent('webhook_deleted', null), { state: 'abandoned' });

    const fault = await faults.useForDelivery(event, wasPostponed);
    switch (fault?.kind) {
      case 'drop_delivery':
        return save(nothingSent('dropped', fault.kind), { state: 'dropped' });
      case 'delay_delivery':
        return this.#postpone(delivery, fault.kind, fromNow(fault.delayMs));
      case 'reorder_deliveries':
        return this.#postpone(delivery, fault.kind, fromNow(fault.holdMs));
      default: {
        const report = await this.#send(url, delivery, fault);
        const next = await this.#nextStep(delivery, report.status);
        await save(report, next);
        if (next.state === 'pending') this.#wakeAt(next.dueAt);
      }
    }
  }

  async #postpone(delivery: ClaimedDelivery, by: PostponingFault, dueAt: Date): Promise<void> {
    await postponeDelivery(this.context.database, delivery, by, dueAt);
    this.#wakeAt(dueAt);
  }

  #wakeAt(dueAt: Date): void {
    const delayMs = dueAt.getTime() - Date.now() + TIMER_MARGIN_MS;
    if (delayMs <= LONGEST_TIMER_MS) setTimeout(() => this.wake(), delayMs).unref();
  }

  async #send(
    url: string,
    delivery: ClaimedDelivery,
    fault: DeliveryFaultKind | null,
  ): Promise<AttemptReport> {
    const { closing } = this.context;
    const transmissions = this.#transmissions(delivery, fault);
    const [first] = await Promise.all(
      transmissions.map(async (transmission) => {
        const signal = AbortSignal.any([closing, AbortSignal.timeout(this.timeoutMs)]);
        const report = await postTransmission(url, transmission, signal);
        return { ...report, transmission_id: transmission.id, fault: fault?.kind ?? null };
      }),
    );
    // The receiver's answers to the copies do not matter: the provider knows of one transmission only.
    return first ?? nothingSent('other', null);
  }

  #transmissions({ event, webhookId }: ClaimedDelivery, fault: DeliveryFaultKind | null): Transmission[] {
    const { links } = this.context;
    const body = Buffer.from(JSON.stringify(describeEvent(event, links)));
    const certificateUrl = links.certificate(this.certificate.id);
    const signFor = (id: string) => signTransmission(body, id, this.certificate, certificateUrl, new Date());
    const copies = fault?.kind === 'duplicate_delivery' ? fault.copies : 0;
    if (fault?.kind !== 'corrupt_delivery')
      return Array.from({ length: copies + 1 }, () => signFor(webhookId));
    if (fault.part === 'webhook_id') return [signFor(newResourceId())];
    const corrupt = fault.part === 'body' ? corruptBody : corruptSignature;
    return [corrupt(signFor(webhookId))];
  }

  async #nextStep(delivery: ClaimedDelivery, status: number | null): Promise<NextStep> {
    if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
    // Ended by our own close: not the receiver's failure, so it is due at once for the next process.
    if (status === null && this.context.closing.aborted) return { state: 'pending', dueAt: new Date() };
    const { settings } = await this.context.applications.get(delivery.event.client_id);
    const dayLengthMs = dayLengthOf(settings, this.context.defaults);
    const dueAt = nextDeliveryAttempt(delivery.firstDueAt, delivery.attempts, dayLengthMs);
    return dueAt === null ? { state: 'abandoned' } : { state: 'pending', dueAt };
  }
}

function fromNow(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds);
}

function nothingSent(failure: string, fault: string | null): AttemptReport {
  return { transmission_id: null, fault, duration_ms: 0, status: null, failure, response_bytes: null };
}
