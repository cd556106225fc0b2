import { type Discrepancy, finalUndone } from './discrepancy.js';
import {
  isEnd,
  isPart,
  mayFollow,
  statesIn,
  statesInProblem,
  type ReportedState,
} from './reported-states.js';

/** One request, whose answer shows something. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'notified of';
  readonly path: string;
  /** When, on the clock of the ends. */
  readonly at: number;
}

interface ReportedEnd extends ReportedState {
  /** What has shown it. */
  readonly by: string;
  /** When it had been shown, on the campaign's own clock in milliseconds. */
  readonly at: number;
}

/**
 * Compares every end that an order service or a payer was shown, in any way, with all later answers. An answer that was
 * requested before the end was shown may be older than the end and is not compared.
 */
export class ReportedEnds {
  readonly discrepancies: Discrepancy[] = [];
  readonly #ends = new Map<string, ReportedEnd>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The number of resources whose end has been shown. Their parts, of which a payout has hundreds, are not counted. */
  get count(): number {
    return [...this.#ends.keys()].filter((name) => !isPart(name)).length;
  }

  noteAnswer(body: unknown, asked: Asked): void {
    this.#noteAll(statesIn(body, asked.path), asked);
  }

  /**
   * @param asked when the request was sent first: a refusal is kept under its key, and what it says of a state is of
   *   that time.
   */
  noteProblem(body: unknown, asked: Asked): void {
    this.#noteAll(statesInProblem(body, asked.path), asked);
  }

  /**
   * A notification may come long after it was written, and shows its subject as it was then: of it only an end counts.
   *
   * @param path where the API shows its subject.
   */
  noteNotification(data: object, path: string): void {
    const isOfItem = 'itemId' in data;
    const asked = { method: 'notified of', path, at: Number.NEGATIVE_INFINITY } as const;
    this.#noteAll(statesIn(isOfItem ? { data: [data] } : data, path), asked);
  }

  /** @param address to which the engine sends the payer. */
  noteRedirect(address: string, askedAt: number): void {
    const { searchParams } = new URL(address);
    const name = searchParams.get('payment_id') ?? searchParams.get('subscription_id');
    const state = searchParams.get('state');
    if (name !== null && state !== null) this.#note({ name, state }, 'redirect', askedAt);
  }

  #noteAll(states: readonly ReportedState[], { method, path, at }: Asked): void {
    for (const reported of states) this.#note(reported, `${method} ${path}`, at);
  }

  #note(seen: ReportedState, by: string, askedAt: number): void {
    const { name, state } = seen;
    const end = this.#ends.get(name);
    if (!end || mayFollow(end, state)) {
      if (isEnd(seen) && end?.state !== state) this.#ends.set(name, { ...seen, by, at: this.now() });
      return;
    }
    if (askedAt < end.at && (!isEnd(seen) || mayFollow(seen, end.state))) return;
    const when = Number.isFinite(askedAt) ? `, asked ${Math.round(askedAt - end.at)} ms after that` : '';
    this.discrepancies.push(
      finalUndone(`${name} was told ${end.state} (${end.by}), then ${state} (${by})${when}`),
    );
  }
}
