import { setTimeout } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { ChangeListener, type Database, isDatabaseAway } from '#database/connection';
import {
  type AttemptResult,
  leaseDeliveries,
  type LeasedDelivery,
  recordAttempt,
} from '#database/notifications';
import { openSealedText } from '#payload-codec';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { log } from '../injected/log.js';
import { asCaller } from '../requests/caller-now.js';
import { nameOfError } from '../problems/name-of-error.js';
import { NotificationPayloads } from './notification-payloads.js';
import { type Answer, NotificationSender } from './send-notification.js';
import { restMs, settingsOf, withJitter } from './usual-settings.js';

/** Each endpoint has places of its own, so that one that hangs delays no other. */
const mostPerEndpoint = 16;
/** Changes that come together share one read. */
const pauseMs = 10;
/** Added to the time that an attempt may take: for the payload and the rows. */
const leaseMarginMs = 45_000;

/**
 * Delivers notifications: at once when a subject has changed, and what is due, left or failed when its time comes. Any
 * API process does so for all; a delivery is leased to one of them.
 */
@Injectable()
export class NotificationDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly settings: ReturnType<typeof settingsOf>;
  private readonly sender: NotificationSender;
  private readonly underWay = new Map<LeasedDelivery, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private leasing: Promise<void> | undefined;
  private isWoken = false;
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
      await setTimeout(pauseMs);
    }
  }

  private async leaseOnce(): Promise<void> {
    const places = new Map<string, number>();
    for (const { endpoint_id: id } of this.underWay.keys()) places.set(id, (places.get(id) ?? 0) + 1);
    const leaseMs = this.settings.timeoutMs + leaseMarginMs;
    for (const delivery of await leaseDeliveries(this.db, places, { mostPerEndpoint, leaseMs })) {
      this.underWay.set(delivery, this.deliver(delivery));
    }
  }

  private async deliver(delivery: LeasedDelivery): Promise<void> {
    const begunAt = performance.now();
    try {
      const answer = await this.attempt(delivery);
      // Cut off by the end of this process, which is no failure of the receiver: its lease ends.
      if (this.isStopping && answer.reason !== undefined) return;
      const durationMs = Math.round(performance.now() - begunAt);
      const isDisabled = await recordAttempt(this.db, delivery, this.resultOf(delivery, answer, durationMs), {
        disableAfterMs: this.settings.disableAfterMs,
        restMs,
        isGone: answer.status === 410,
      });
      if (isDisabled)
        this.logger.warn({ endpoint: delivery.endpoint_id }, 'a notification endpoint was disabled');
    } catch (error) {
      this.complain(error, 'an attempt could not be recorded; its lease ends and it is made again');
    }
    this.underWay.delete(delivery);
    if (!this.isStopping) this.wake();
  }

  private async attempt(delivery: LeasedDelivery): Promise<Answer> {
    const { url, id, endpoint_id: endpointId, secret, earlier_secrets: earlier } = delivery;
    const open = (sealed: Buffer) => openSealedText(this.config.codecKeys, sealed, endpointId);
    const made = await this.make(async () => ({
      body: await this.payloads.of(delivery),
      secrets: [secret, ...earlier].map(open),
    }));
    return made
      ? await this.sender.send({ url, id, ...made })
      : { reason: 'It could not be made or signed.' };
  }

  /** A notification that cannot be made is tried again like any other, and shows why it is not sent. */
  private async make<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.complain(error, 'a notification could not be made or signed');
      return undefined;
    }
  }

  private resultOf({ tries }: LeasedDelivery, answer: Answer, durationMs: number): AttemptResult {
    const attempt = { durationMs, ...answer };
    if (answer.reason === undefined) return { ...attempt, state: 'delivered' };
    const waitMs = this.settings.waitsMs[tries - 1];
    if (waitMs === undefined) return { ...attempt, state: 'failed' };
    return { ...attempt, state: 'pending', dueInMs: withJitter(waitMs) };
  }

  private complain(error: unknown, message: string): void {
    this.logger.warn({ error: nameOfError(error) }, message);
  }
}
