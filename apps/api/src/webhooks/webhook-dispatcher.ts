import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { EventDispatch } from '#webhook-inbox';
import { log } from '../injected/log.js';

/** The most calls to Temporal at the same time; they share SQL statements. */
const mostAtOnce = 64;
/**
 * The most waiting events. While Temporal is away, further events are left to the sweep, so that the backlog takes no
 * memory.
 */
const mostWaiting = 10_000;

/**
 * Dispatches journaled events at once, a bounded number at a time. The sweep dispatches the events that this leaves
 * behind.
 */
@Injectable()
export class WebhookDispatcher implements OnApplicationShutdown {
  private readonly waiting = new Set<number>();
  private readonly underWay = new Map<number, Promise<void>>();
  private isStopping = false;

  constructor(
    @Inject(EventDispatch) private readonly dispatch: EventDispatch,
    @Inject(log) private readonly logger: Logger,
  ) {}

  /** Dispatches under way finish. Waiting events stay in the inbox for another process. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.waiting.clear();
    await Promise.all(this.underWay.values());
  }

  /** Returns at once. */
  enqueue(id: number): void {
    if (this.waiting.size >= mostWaiting) return;
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
      // The lease ends and the sweep dispatches the event again.
      const name = error instanceof Error ? error.name : typeof error;
      this.logger.warn({ error: name }, 'a webhook event could not be dispatched; the sweep tries it again');
    }
    this.underWay.delete(id);
    this.startNext();
  }
}
