import { setTimeout as sleep } from 'node:timers/promises';
import type { Cast, Story } from './lifecycle.js';

export interface PlayedStory {
  readonly story: Story;
  /** Why it could not be played to its end, other than for want of time. */
  failure?: string;
}

/** One that takes longer keeps on, but makes room for the next: what waits for an unknown outcome must not stop all. */
const makesRoomAfterMs = 30_000;
/** For the verify phase, in which nothing fails any more: of the phase, and for each lifecycle. */
const stockWithinMs = 180_000;
const stockOfOneWithinMs = 200;

/** Plays many stories, so many at a time. */
export class Production {
  readonly stories: readonly PlayedStory[];
  readonly #abandon = new AbortController();
  readonly #signal: AbortSignal;
  readonly #playing = new Set<Promise<void>>();
  #started = 0;
  #ended = 0;

  constructor(
    stories: readonly Story[],
    private readonly castOf: (story: Story) => Cast,
    private readonly concurrency: number,
    signal: AbortSignal,
  ) {
    this.stories = stories.map((story) => ({ story }));
    this.#signal = AbortSignal.any([signal, this.#abandon.signal]);
  }

  get progress(): string {
    return `${this.#started}/${this.stories.length} lifecycles started, ${this.#ended} ended`;
  }

  /** @param beforeEach is awaited before a story starts, with the number of those started so far. */
  async startAll(beforeEach: (started: number) => Promise<void>): Promise<void> {
    const taking = new Set<Promise<void>>();
    for (const played of this.stories) {
      await beforeEach(this.#started);
      this.#started += 1;
      const playing = this.#play(played);
      this.#playing.add(playing);
      const room = Promise.race([playing, this.#untilRoomIsMade()]).finally(() => taking.delete(room));
      taking.add(room);
      if (taking.size >= this.concurrency) await Promise.race(taking);
      this.#signal.throwIfAborted();
    }
  }

  /** Resolves when every story has ended, or when the time is over. */
  async untilEnded(withinMs: number): Promise<void> {
    const timer = new AbortController();
    const timeIsOver = sleep(withinMs, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([Promise.all(this.#playing), timeIsOver]);
    timer.abort();
  }

  async abandonTheRest(): Promise<void> {
    this.#abandon.abort();
    await Promise.all(this.#playing);
  }

  /** The verify phase. What the engine does not answer any more stays open, and is judged so. */
  async takeStock(): Promise<void> {
    const signal = AbortSignal.timeout(stockWithinMs + this.stories.length * stockOfOneWithinMs);
    const waiting = [...this.stories];
    const take = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await next.story.takeStock(this.castOf(next.story), signal).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: this.concurrency }, take));
  }

  async #play(played: PlayedStory): Promise<void> {
    try {
      await played.story.play(this.castOf(played.story), this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) played.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.#ended += 1;
    }
  }

  async #untilRoomIsMade(): Promise<void> {
    await sleep(makesRoomAfterMs, undefined, { signal: this.#signal, ref: false }).catch(() => {});
  }
}
