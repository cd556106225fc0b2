import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { nameOfError } from '#observability';
import { EventDispatch } from '#webhook-inbox';
import { log } from '../injected/log.js';

/** The most calls to Temporal at the same time; they share SQL statements. */
const mostAtOnce = 64;
/**
 * The most waiting events. While Temporal is away, further events are left to the sweep, so that the backlog takes no
 * memory.
 */
const mostWaiting = 10_000;

interface Waiting {
  readonly how: 'dispatch' | 'dispatchEcho';
  /** Runs in the context of the delivery, so that its trace continues. */
  readonly resume: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

/**
 * Dispatches journaled events at once, a bounded number at a time. The sweep dispatches the events that this leaves
 * behind.
 */
@Injectable()
export class WebhookDispatcher implements OnApplicationShutdown {
  private readonly waiting = new Map<number, Waiting>();
  private readonly later = new Set<NodeJS.Timeout>();
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
    for (const timer of this.later) clearTimeout(timer);
    await Promise.all(this.underWay.values());
  }

  /** Returns at once. */
  enqueue(id: number, how: 'dispatch' | 'dispatchEcho' = 'dispatch'): void {
    if (this.isFull()) return;
    this.waiting.set(id, { how, resume: AsyncLocalStorage.snapshot() });
    this.startNext();
  }

  /** For an event that probably has no news by then. Returns at once. */
  enqueueLater(id: number, waitMs: number): void {
    if (this.isStopping || this.isFull()) return;
    const timer = setTimeout(() => {
      this.later.delete(timer);
      this.enqueue(id, 'dispatchEcho');
    }, waitMs);
    this.later.add(timer);
  }

  private isFull(): boolean {
    return this.waiting.size + this.later.size >= mostWaiting;
  }

  private startNext(): void {
    for (const [id, { how, resume }] of this.waiting) {
      if (this.isStopping || this.underWay.size >= mostAtOnce) return;
      if (this.underWay.has(id)) continue;
      this.waiting.delete(id);
      this.underWay.set(
        id,
        resume(() => this.run(id, how)),
      );
    }
  }

  private async run(id: number, how: 'dispatch' | 'dispatchEcho'): Promise<void> {
    try {
      await this.dispatch[how](id);
    } catch (error) {
      // The lease ends and the sweep dispatches the event again.
      const name = nameOfError(error);
      this.logger.warn({ error: name }, 'a webhook event could not be dispatched; the sweep tries it again');
    }
    this.underWay.delete(id);
    this.startNext();
  }
}
