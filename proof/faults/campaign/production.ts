import { setTimeout as sleep } from 'node:timers/promises';
import type { Participants, Scenario } from '../lifecycle.js';

export interface PlayedScenario {
  readonly scenario: Scenario;
  /** Why it could not be played to its end, except for lack of time. */
  failure?: string;
}

/** A longer lifecycle continues but lets the next one start: one unknown outcome must not stop the campaign. */
const makesRoomAfterMs = 30_000;
/** For the verify phase, in which nothing fails any more: of the phase, and for each lifecycle. */
const stockWithinMs = 180_000;
const stockOfOneWithinMs = 200;

/** Plays many scenarios, so many at a time. */
export class Production {
  readonly scenarios: readonly PlayedScenario[];
  readonly #abandon = new AbortController();
  readonly #signal: AbortSignal;
  readonly #playing = new Set<Promise<void>>();
  #started = 0;
  #ended = 0;

  constructor(
    scenarios: readonly Scenario[],
    private readonly participantsOf: (scenario: Scenario) => Participants,
    private readonly concurrency: number,
    signal: AbortSignal,
    /** Resolves when a scenario waits for something else and leaves its place to another one. */
    private readonly untilParked: (scenario: Scenario) => Promise<void> = () => new Promise(() => undefined),
  ) {
    this.scenarios = scenarios.map((scenario) => ({ scenario }));
    this.#signal = AbortSignal.any([signal, this.#abandon.signal]);
  }

  get progress(): string {
    return `${this.#started}/${this.scenarios.length} lifecycles started, ${this.#ended} ended`;
  }

  /** Those that were started. */
  get played(): readonly PlayedScenario[] {
    return this.scenarios.slice(0, this.#started);
  }

  /**
   * @param beforeEach is awaited before a scenario starts, with the number of those started so far; no further one starts
   *   when it answers `enough`.
   */
  async startAll(beforeEach: (started: number) => Promise<void | 'enough'>): Promise<void> {
    const taking = new Set<Promise<void>>();
    for (const played of this.scenarios) {
      if ((await beforeEach(this.#started)) === 'enough') return;
      this.#started += 1;
      const playing = this.#play(played);
      this.#playing.add(playing);
      const elsewhere = [this.untilParked(played.scenario), this.#untilRoomIsMade()];
      const room = Promise.race([playing, ...elsewhere]).finally(() => taking.delete(room));
      taking.add(room);
      if (taking.size >= this.concurrency) await Promise.race(taking);
      this.#signal.throwIfAborted();
    }
  }

  /** Resolves when every scenario has ended, or when the time is over. */
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

  /** The verify phase. Requests without an answer stay open and are judged as open. */
  async takeStock(): Promise<void> {
    const signal = AbortSignal.timeout(stockWithinMs + this.#started * stockOfOneWithinMs);
    const waiting = [...this.played];
    const take = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const taken = next.scenario.takeStock(this.participantsOf(next.scenario), signal);
        await taken.catch((error: unknown) => (next.failure ??= `no stock was taken: ${messageOf(error)}`));
      }
    };
    await Promise.all(Array.from({ length: this.concurrency }, take));
  }

  async #play(played: PlayedScenario): Promise<void> {
    try {
      await played.scenario.play(this.participantsOf(played.scenario), this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) played.failure = messageOf(error);
    } finally {
      this.#ended += 1;
    }
  }

  async #untilRoomIsMade(): Promise<void> {
    await sleep(makesRoomAfterMs, undefined, { signal: this.#signal, ref: false }).catch(() => {});
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
