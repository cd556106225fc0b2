import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { batched, ChangeListener, type Database, isTemporary } from '#database/connection';
import {
  confirmLease,
  type DeliveredAttempt,
  type FailedAttempt,
  leaseDeliveries,
  type LeasedDelivery,
  recordDelivered,
  recordFailure,
} from '#database/notifications';
import { nameOfError } from '#observability';
import { openSealedText } from '#payload-codec';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { log } from '../injected/log.js';
import { asCaller } from '../requests/caller-now.js';
import { NotificationPayloads } from './notification-payloads.js';
import { type Answer, NotificationSender } from './send-notification.js';
import { SendingPlaces } from './sending-places.js';
import { restMs, settingsOf, withJitter } from './usual-settings.js';

/** Each endpoint has places of its own, so that one that hangs delays no other. */
const mostPerEndpoint = 16;
/** Of an endpoint that does not fail: those are made ready and recorded while others are sent. */
const mostAhead = 32;
/** What has waited for longer since it was leased is looked at again: its endpoint may have changed. */
const longWaitMs = 1_000;
/** Changes that come together share one read. */
const pauseMs = 10;
/** Added to the time that an attempt may wait and take: for the payload and the rows. */
const leaseMarginMs = 45_000;

interface Attempt extends Answer {
  readonly durationMs: number;
  /** It has not come as far as the endpoint. */
  readonly isUnsent?: boolean;
}

/**
 * Delivers notifications: at once when a subject has changed, and what is due, left or failed when its time comes. Any
 * API process does so for all; a delivery is leased to one of them.
 */
@Injectable()
export class NotificationDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly settings: ReturnType<typeof settingsOf>;
  private readonly sender: NotificationSender;
  /** Results that come at the same time share a commit. */
  private readonly recordDelivered: (attempt: DeliveredAttempt) => Promise<void>;
  private readonly underWay = new Map<LeasedDelivery, Promise<void>>();
  private readonly places = new SendingPlaces(mostPerEndpoint);
  private timer: NodeJS.Timeout | undefined;
  private leasing: Promise<void> | undefined;
  private endPause: (() => void) | undefined;
  private isWoken = false;
  /** The last lease was probably not the last one of a backlog. */
  private wereMany = false;
  /** Deliveries since the last lease began. */
  private ended = 0;
  private isStopping = false;

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
    @Inject(ChangeListener) private readonly listener: ChangeListener,
    @Inject(NotificationPayloads) private readonly payloads: NotificationPayloads,
    @Inject(log) private readonly logger: Logger,
  ) {
    this.settings = settingsOf(config.notifications);
    this.sender = new NotificationSender(this.settings);
    this.recordDelivered = batched(
      async (attempts) => {
        await asCaller('notifications', () => recordDelivered(db, attempts));
        return [];
      },
      { largest: 64, concurrency: 2, isOneItemsFault: (error) => !isTemporary(error) },
    );
  }

  onApplicationBootstrap(): void {
    this.listener.onChange(() => this.wake());
    this.timer = setInterval(() => this.wake(), this.settings.sweepMs);
    this.wake();
  }

  /** Attempts under way end; of those that are cut off the lease ends. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.leasing;
    const ended = Promise.all(this.underWay.values());
    await Promise.race([ended, setTimeout(3_000, undefined, { ref: false })]);
    await this.sender.close();
    await ended;
  }

  private wake(): void {
    this.isWoken = true;
    // As one caller, so that a backlog leaves connections to the database for orders and webhooks.
    this.leasing ??= asCaller('notifications', async () => await this.leaseAll()).finally(
      () => (this.leasing = undefined),
    );
  }

  private async leaseAll(): Promise<void> {
    while (this.isWoken && !this.isStopping) {
      this.isWoken = false;
      try {
        await this.leaseOnce();
      } catch (error) {
        this.complain(error, 'notifications that are due could not be read; they are read again');
      }
      await this.pause();
    }
  }

  private async pause(): Promise<void> {
    if (this.isNextDue()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.endPause = resolve;
    await Promise.race([promise, setTimeout(pauseMs)]);
  }

  /** A lease of many needs no pause before it. */
  private isNextDue(): boolean {
    return this.wereMany && this.ended >= mostPerEndpoint;
  }

  private async leaseOnce(): Promise<void> {
    this.ended = 0;
    const busy = new Map<string, number>();
    for (const { endpoint_id: id } of this.underWay.keys()) busy.set(id, (busy.get(id) ?? 0) + 1);
    // Those before it may take their whole time, so many at once.
    const attempts = 1 + mostAhead / mostPerEndpoint;
    const leaseMs = attempts * this.settings.timeoutMs + leaseMarginMs;
    const leased = await leaseDeliveries(this.db, busy, { mostPerEndpoint, mostAhead, leaseMs });
    this.wereMany = leased.length >= mostPerEndpoint;
    for (const delivery of leased) this.underWay.set(delivery, this.deliver(delivery));
  }

  private async deliver(delivery: LeasedDelivery): Promise<void> {
    try {
      const attempt = await this.attempt(delivery);
      // Cut off by the end of this process, which is no failure of the receiver: its lease ends.
      if (this.isStopping && attempt?.reason !== undefined) return;
      if (attempt) await this.record(delivery, attempt);
    } catch (error) {
      this.complain(error, 'an attempt could not be recorded; its lease ends and it is made again');
    }
    this.underWay.delete(delivery);
    if (this.isStopping) return;
    this.ended += 1;
    this.wake();
    if (this.isNextDue()) this.endPause?.();
  }

  /** @returns nothing for a delivery that may no longer be sent. */
  private async attempt(delivery: LeasedDelivery): Promise<Attempt | undefined> {
    const { url, id, endpoint_id: endpointId, secret, earlier_secrets: earlier } = delivery;
    const open = (sealed: Buffer) => openSealedText(this.config.codecKeys, sealed, endpointId);
    // Before the body is made: the process may be paused, or the database slow, meanwhile.
    const leasedAt = performance.now();
    const made = await this.make(async () => ({
      body: await this.payloads.of(delivery),
      secrets: [secret, ...earlier].map(open),
    }));
    if (!made) return { reason: 'It could not be made or signed.', durationMs: 0, isUnsent: true };
    return await this.places.take(endpointId, async () => {
      const begunAt = performance.now();
      if (begunAt - leasedAt > longWaitMs && !(await confirmLease(this.db, delivery))) return undefined;
      const answer = await this.sender.send({ url, id, ...made });
      return { ...answer, durationMs: Math.round(performance.now() - begunAt) };
    });
  }

  /** A notification that cannot be made is tried again like any other, and shows why it is not sent. */
  private async make<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isTemporary(error)) throw error;
      this.complain(error, 'a notification could not be made or signed');
      return undefined;
    }
  }

  private async record(
    delivery: LeasedDelivery,
    { reason, status, durationMs, isUnsent = false }: Attempt,
  ): Promise<void> {
    if (reason === undefined)
      return await this.recordDelivered({ delivery, durationMs, status: status ?? null });
    const attempt = { durationMs, ...(status !== undefined && { status }), reason };
    const { disableAfterMs } = this.settings;
    const isDisabled = await recordFailure(
      this.db,
      delivery,
      { ...attempt, ...this.afterFailure(delivery) },
      { disableAfterMs, restMs, isGone: status === 410, isUnsent },
    );
    if (isDisabled)
      this.logger.warn({ endpoint: delivery.endpoint_id }, 'a notification endpoint was disabled');
  }

  private afterFailure({ tries }: LeasedDelivery): Pick<FailedAttempt, 'state' | 'dueInMs'> {
    const waitMs = this.settings.waitsMs[tries - 1];
    return waitMs === undefined ? { state: 'failed' } : { state: 'pending', dueInMs: withJitter(waitMs) };
  }

  private complain(error: unknown, message: string): void {
    this.logger.warn({ error: nameOfError(error) }, message);
  }
}
