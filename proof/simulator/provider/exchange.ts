import { AsyncLocalStorage } from 'node:async_hooks';
import type { NewApiCall } from '#database/calls';
import {
  ConflictError,
  NotFoundError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  UnknownOutcomeError,
} from '#payments-client';
import { limitOf } from '../temporal/replacements.js';
import type { World } from '../core/world.js';
import type { Worker } from '../temporal/worker.js';
import type { Health } from './health.js';

/** The engine relies on a horizon longer than the late execution plus the lag of reads. */
export const horizonMs = 120_000;
const latestExecutionMs = horizonMs * 0.5;
const longestLagMs = horizonMs * 0.4;
const callLimitMs = 25_000;

/** A refusal by the provider's own rules. */
export class Refused extends Error {
  /** @param existingId what has the same reference already. */
  constructor(
    readonly code: string,
    readonly existingId?: string,
  ) {
    super(code);
  }
}

export interface Post {
  readonly operation: string;
  readonly requestId: string;
  /** The same key repeats the answer, not the effect. */
  readonly isKeyed: boolean;
}

/** What has come to the books under one request id. */
export interface Arrival {
  count: number;
  isCarriedOut: boolean;
}

/** One worker's connection to the provider, and everything that can go wrong on it. */
export class Exchange {
  private readonly recorded = new AsyncLocalStorage<NewApiCall[]>();

  constructor(
    private readonly world: World,
    private readonly worker: Worker,
    private readonly provider: {
      readonly health: Health;
      /** Those that are kept under a key. */
      readonly answers: Map<string, () => unknown>;
      readonly arrivals: Map<string, Arrival>;
      readonly poisoned: Map<string, string>;
    },
  ) {}

  async recording<T>(work: () => Promise<T>): Promise<{ result: T; calls: readonly NewApiCall[] }> {
    const calls: NewApiCall[] = [];
    return { result: await this.recorded.run(calls, work), calls };
  }

  /** @param carryOut what the provider does; throws `Refused`. */
  async post<T>(call: Post, carryOut: () => T): Promise<T> {
    const { faults, draws, clock } = this.world;
    const { operation } = call;
    const identity = { operation, requestId: call.requestId };
    const strikes = (kind: string, probability: number, words: string) =>
      faults.strikes(`${operation} ${kind}`, probability, `${operation}: ${words}`);
    const unknown = (reason: 'timed_out' | 'server_error', debugId?: string) => {
      this.note(call, reason === 'server_error' ? 500 : null, 'INTERNAL_SERVICE_ERROR', debugId);
      return new UnknownOutcomeError(identity, reason, {
        status: reason === 'server_error' ? 500 : undefined,
      });
    };
    this.world.tell(() => `${this.worker.name} sends ${operation}`);
    await this.worker.hop(this.latency(operation));
    const { health } = this.provider;
    if (health.isAway || strikes('refused', 0.02, 'refused for now (429 or 503)')) {
      await this.worker.hop(5);
      this.note(call, 429, 'RATE_LIMIT_REACHED');
      throw new RateLimitedError(identity, {
        status: 429,
        retryAfterMs: draws.spread('retry after', 100, 20_000),
      });
    }
    if (strikes('request lost', 0.015, 'the request is lost')) {
      await this.worker.hop(draws.spread('give up', 200, callLimitMs));
      throw unknown('timed_out');
    }
    if (strikes('late', 0.025, 'carried out long after the caller has given up')) {
      clock.after(draws.spread('late execution', 100, latestExecutionMs), () => {
        this.quietly(() => this.answered(call, carryOut));
      });
      await this.worker.hop(draws.spread('give up', 200, callLimitMs));
      throw unknown('timed_out');
    }
    const kept = this.poisonOf(call, strikes);
    if (kept !== undefined) {
      await this.worker.hop(this.latency(operation));
      throw unknown('server_error', kept);
    }
    const isConflict = strikes('conflict', 0.012, 'answered with 409');
    if (isConflict && draws.chance('conflict undone', 0.5)) throw await this.conflict(call);
    const answer = this.answered(call, carryOut);
    if (isConflict) throw await this.conflict(call);
    if (health.mayGoAway(operation) || strikes('reply lost', 0.03, 'carried out, and the answer is lost')) {
      await this.worker.hop(draws.spread('give up', 50, callLimitMs));
      throw unknown(draws.chance('how lost', 0.5) ? 'timed_out' : 'server_error');
    }
    await this.worker.hop(this.latency(operation));
    return this.opened(call, answer);
  }

  /** @param find what is shown as of an instant; undefined where it is not known by then. */
  async read<T>(
    operation: string,
    signal: AbortSignal | undefined,
    find: (asOf: number) => T | undefined,
    cutShort: (whole: T) => T = (whole) => whole,
  ): Promise<T> {
    const { faults, draws, clock } = this.world;
    const strikes = (kind: string, probability: number, words: string) =>
      faults.strikes(`${operation} ${kind}`, probability, `${operation}: ${words}`);
    const limit = Math.min(limitOf(signal), callLimitMs);
    const latency = this.latency(operation) + this.latency(operation);
    await this.worker.hop(Math.min(latency, limit) / 2);
    const lag = strikes('lags', 0.04, 'the read lags behind') ? draws.spread('lag', 50, longestLagMs) : 0;
    const seen = find(clock.now - lag);
    await this.worker.hop(Math.min(latency, limit) / 2);
    if (latency > limit) throw Object.assign(new Error('too long'), { name: 'TimeoutError' });
    const { health } = this.provider;
    if (health.isAway || strikes('unavailable', 0.02, 'the provider cannot be read')) {
      throw new UnavailableError({ operation }, 'server_error', { status: 503 });
    }
    if (seen === undefined) throw new NotFoundError({ operation }, { status: 404 });
    return health.cutsShort(operation) ? cutShort(seen) : seen;
  }

  /** A failure that is kept under its key, and told again: nothing can ever be done under it. */
  private poisonOf(
    { isKeyed, operation, requestId }: Post,
    strikes: (kind: string, probability: number, words: string) => boolean,
  ): string | undefined {
    const { poisoned, answers } = this.provider;
    const key = `${operation} ${requestId}`;
    const known = poisoned.get(key);
    if (known !== undefined || !isKeyed || answers.has(key)) return known;
    if (!strikes('poisoned', 0.015, 'a failure is kept under its key')) return undefined;
    const debugId = this.world.nextId('debug');
    poisoned.set(key, debugId);
    return debugId;
  }

  /** Another request under this key, or about the same resource, is under way. */
  private async conflict(call: Post): Promise<ConflictError> {
    await this.worker.hop(this.latency(call.operation));
    this.note(call, 409, 'RESOURCE_CONFLICT');
    return new ConflictError({ operation: call.operation, requestId: call.requestId }, { status: 409 });
  }

  private latency(operation: string): number {
    const { draws, faults } = this.world;
    if (faults.strikes(`${operation} slow`, 0.04, `${operation}: slow`))
      return draws.spread('slow', 300, 9_000);
    return draws.between('latency', 5, 60);
  }

  /** An answer, or the refusal that stands for it, as it is kept under its key. */
  private answered<T>(call: Post, carryOut: () => T): () => T {
    const key = `${call.operation} ${call.requestId}`;
    const kept = call.isKeyed ? this.provider.answers.get(key) : undefined;
    const { arrivals } = this.provider;
    const arrival = arrivals.get(call.requestId) ?? { count: 0, isCarriedOut: false };
    arrivals.set(call.requestId, arrival);
    arrival.count += 1;
    if (kept) return kept as () => T;
    const answer = outcomeOf(() => {
      const done = carryOut();
      arrival.isCarriedOut = true;
      return done;
    });
    if (call.isKeyed) this.provider.answers.set(key, answer);
    return answer;
  }

  private opened<T>(call: Post, answer: () => T): T {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.world.tell(() => `the provider refuses ${call.operation}: ${error.code}`);
      const identity = { operation: call.operation, requestId: call.requestId };
      if (error.code === 'RESOURCE_NOT_FOUND') throw new NotFoundError(identity, { status: 404 });
      this.note(call, 400, error.code);
      throw new RejectedError(identity, { status: 400, code: error.code }, [], error.existingId);
    }
  }

  private quietly(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  private note(
    { operation, requestId }: Post,
    status: number | null,
    name: string,
    debugId = this.world.nextId('debug'),
  ): void {
    this.recorded.getStore()?.push({
      operation,
      method: 'POST',
      path: '/',
      status,
      requestId,
      debugId,
      startedAt: new Date(this.world.clock.now),
      durationMs: 1,
      response: { name },
    });
  }
}

function outcomeOf<T>(carryOut: () => T): () => T {
  try {
    const answer = carryOut();
    return () => answer;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
