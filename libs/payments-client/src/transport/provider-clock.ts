import { captureAuthorization, createPayment } from '../operations/payments.js';
import type { ExchangeResult } from './exchange.js';

/** How much the service's clock is ahead of ours, in milliseconds: behind is negative. Zero lies between the two. */
export interface ClockOffsets {
  readonly least: number;
  readonly most: number;
  /** No answer has shown the clock so far. */
  readonly isUnknown?: true;
}

const none: ClockOffsets = { least: 0, most: 0 };
/** One wrong answer of a gateway, such as a cached one, is forgotten after one to two of these. */
const rememberedMs = 3_600_000;
const second = 1_000;
/** Their 201 shows what they have just created; a reauthorization's shows a hold of days ago. */
const creating: ReadonlySet<string> = new Set([createPayment.name, captureAuthorization.name]);
/** The year 2100: what claims to be later, or before 1970, shows no clock. */
const endOfTime = 4_102_444_800_000;

/**
 * What the service's answers show of its clock: each is dated, and names when what it has just created was created. A
 * search by time that assumes our clock would not find what was created by another, and nothing found would be taken
 * for nothing done.
 */
export class ProviderClock {
  #since = 0;
  #present = none;
  #past = none;

  get offsets(): ClockOffsets {
    return { ...eitherOf(this.#past, this.#present), ...(this.#since === 0 && { isUnknown: true }) };
  }

  /**
   * @param operation its name.
   * @param body the answer as parsed JSON.
   * @param startedAt when the request began, by our clock; the answer has come now.
   */
  observe(operation: string, result: ExchangeResult, body: unknown, startedAt: number): void {
    this.#take(result.headers.date, startedAt);
    if (creating.has(operation) && result.status === 201) this.#take(createTimeOf(body), startedAt);
  }

  #take(shown: string | undefined, startedAt: number): void {
    const at = shown === undefined ? NaN : Date.parse(shown);
    if (!(at > 0 && at < endOfTime)) return;
    const now = Date.now();
    if (now - this.#since > rememberedMs) {
      this.#past = this.#present;
      this.#present = none;
      this.#since = now;
    }
    // It was shown between the two, and may be rounded down to whole seconds.
    const [least, most] = [at - now, at + second - startedAt];
    this.#present = eitherOf(this.#present, { least: Math.min(most, 0), most: Math.max(least, 0) });
  }
}

function eitherOf(one: ClockOffsets, other: ClockOffsets): ClockOffsets {
  return { least: Math.min(one.least, other.least), most: Math.max(one.most, other.most) };
}

/** Undefined if it has changed since: the answer to a repeated request may show what was created long ago. */
function createTimeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('create_time' in body)) return undefined;
  const { create_time: created } = body;
  const isUnchanged = !('update_time' in body) || body.update_time === created;
  return isUnchanged && typeof created === 'string' ? created : undefined;
}
