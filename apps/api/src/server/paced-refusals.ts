import type { FastifyReply } from 'fastify';
import { Places } from '../commands/places.js';

/** What `Retry-After` asks for. */
const pauseMs = 1_000;
/** Refusals of one caller that wait at a time: one connection can carry any number of requests. */
const mostHeld = 2_000;

/**
 * Slows down a caller whose requests are refused again and again: the first refusals of a second are answered at once,
 * more of them a second later. Without it a flood of refusals takes the processor from all other callers.
 */
export class PacedRefusals {
  private second = 0;
  private readonly inThisSecond = new Map<string, number>();
  private readonly held = new Places();

  /** @param atOnce the number of refusals of one caller that are answered at once in a second. */
  constructor(private readonly atOnce: number) {}

  /**
   * Calls `answer` now or, for a refusal above the limit, after a pause. It is not called for a caller who hangs up.
   *
   * @param callerOf is asked for refusals only: to look for a key costs a hash.
   */
  pace(callerOf: () => string, reply: FastifyReply, answer: () => void): void {
    if (!isRefusal(reply.statusCode)) return answer();
    const caller = callerOf();
    const release = this.isFlooding(caller) ? this.held.take(caller, mostHeld) : undefined;
    if (!release) return answer();
    const timer = setTimeout(answer, pauseMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
      release();
    });
  }

  private isFlooding(caller: string): boolean {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.second) this.inThisSecond.clear();
    this.second = second;
    const count = (this.inThisSecond.get(caller) ?? 0) + 1;
    this.inThisSecond.set(caller, count);
    return count > this.atOnce;
  }
}

/** A well-behaved caller gets declines, conflicts and newer versions as well, so these are not paced. */
const usual: ReadonlySet<number> = new Set([402, 409, 412]);

export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !usual.has(status);
}
