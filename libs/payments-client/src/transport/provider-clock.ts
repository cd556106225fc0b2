import { captureAuthorization, createPayment } from '../operations/payments.js';
import type { ExchangeResult } from './exchange.js';

/** How much the service's clock is ahead of ours, in milliseconds: behind is negative. Zero lies between the two. */
export interface ClockOffsets {
  readonly least: number;
  readonly most: number;
  /** What else was shown in between: a clock that is set more than once, or several of them. To ten seconds. */
  readonly others?: readonly number[];
  /** No answer has shown the clock so far. */
  readonly isUnknown?: true;
}

const none: ClockOffsets = { least: 0, most: 0 };
/** One wrong answer of a gateway, such as a cached one, is forgotten after one to two of these. */
const rememberedMs = 3_600_000;
const second = 1_000;
/** Offsets that are closer are one. */
const apartMs = 10_000;
/** A search by time is made for each. */
const mostOthers = 10;
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
  /** When each was shown, the latest one last. */
  readonly #shownAt = new Map<number, number>();

  get offsets(): ClockOffsets {
    const { least, most } = eitherOf(this.#past, this.#present);
    const since = Date.now() - 2 * rememberedMs;
    const others = [...this.#shownAt].flatMap(([offset, at]) =>
      at >= since && offset > least + apartMs && offset < most - apartMs ? [offset] : [],
    );
    return {
      least,
      most,
      ...(others.length > 0 && { others }),
      ...(this.#since === 0 && { isUnknown: true }),
    };
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
    const offset = { least: Math.min(most, 0), most: Math.max(least, 0) };
    this.#present = eitherOf(this.#present, offset);
    this.#remember(offset.least + offset.most, now);
  }

  #remember(offset: number, now: number): void {
    if (Math.abs(offset) < apartMs) return;
    const rounded = Math.round(offset / apartMs) * apartMs;
    this.#shownAt.delete(rounded);
    this.#shownAt.set(rounded, now);
    const [oldest] = this.#shownAt.keys();
    // Two more than it shows: the least and the most are among them.
    if (this.#shownAt.size > mostOthers + 2 && oldest !== undefined) this.#shownAt.delete(oldest);
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
