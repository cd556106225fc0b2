import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Database } from '../../../../libs/database/src/database.js';
import { findUndispatchedEvents, unparkWebhookEvents } from '../../../../libs/database/src/webhook-events.js';
import { databaseToken } from '../database-token.js';
import { log } from '../log.js';
import { WebhookDispatch } from './webhook-dispatch.js';

const mostAtOnce = 8;
const sweepEveryMs = 5_000;
const sweepBatch = 200;

/** Dispatches journaled events at once, a bounded number at a time, and sweeps up what was left behind. */
@Injectable()
export class WebhookDispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly waiting = new Set<number>();
  private readonly underWay = new Map<number, Promise<void>>();
  private sweepTimer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookDispatch) private readonly dispatch: WebhookDispatch,
    @Inject(log) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.sweepLater(0);
  }

  /** What is under way ends; what waits is in the journal, for the next process. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.sweepTimer);
    this.waiting.clear();
    await Promise.all(this.underWay.values());
  }

  /** Returns at once. */
  enqueue(id: number): void {
    this.waiting.add(id);
    this.startNext();
  }

  private startNext(): void {
    for (const id of this.waiting) {
      if (this.isStopping || this.underWay.size >= mostAtOnce) return;
      if (this.underWay.has(id)) continue;
      this.waiting.delete(id);
      this.underWay.set(id, this.run(id));
    }
  }

  private async run(id: number): Promise<void> {
    try {
      await this.dispatch.dispatch(id);
    } catch (error) {
      // The lease ends and the sweep takes it up again.
      this.report('a webhook event could not be dispatched yet', error);
    }
    this.underWay.delete(id);
    this.startNext();
  }

  private sweepLater(ms: number): void {
    if (this.isStopping) return;
    this.sweepTimer = setTimeout(() => void this.sweep(), ms);
    this.sweepTimer.unref();
  }

  private async sweep(): Promise<void> {
    try {
      const since = new Date(Date.now() - sweepEveryMs);
      const unparked = await unparkWebhookEvents(this.db, since, sweepBatch);
      const left = await findUndispatchedEvents(this.db, since, sweepBatch);
      for (const { id } of [...unparked, ...left]) this.enqueue(id);
    } catch (error) {
      this.report('webhook events could not be swept', error);
    }
    this.sweepLater(sweepEveryMs);
  }

  private report(what: string, error: unknown): void {
    this.logger.warn({ error: error instanceof Error ? error.name : typeof error }, what);
  }
}
