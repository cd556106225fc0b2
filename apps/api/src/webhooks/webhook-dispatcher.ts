import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { EventDispatch } from '#webhook-inbox';
import { log } from '../log.js';

/** Calls to Temporal on their way; statements are shared among them. */
const mostAtOnce = 64;
/** What comes on top while Temporal is away is left to the sweep, so that its backlog takes no memory. */
const mostWaiting = 10_000;

/** Dispatches journaled events at once, a bounded number at a time; a Schedule sweeps up what it leaves behind. */
@Injectable()
export class WebhookDispatcher implements OnApplicationShutdown {
  private readonly waiting = new Set<number>();
  private readonly underWay = new Map<number, Promise<void>>();
  private isStopping = false;

  constructor(
    @Inject(EventDispatch) private readonly dispatch: EventDispatch,
    @Inject(log) private readonly logger: Logger,
  ) {}

  /** What is under way ends; what waits is in the journal, for the next process. */
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
      // The lease ends and the sweep takes it up again.
      const name = error instanceof Error ? error.name : typeof error;
      this.logger.warn({ error: name }, 'a webhook event could not be dispatched yet');
    }
    this.underWay.delete(id);
    this.startNext();
  }
}
