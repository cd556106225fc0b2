import { z } from 'zod';
import { type Discrepancy, finalUndone } from './discrepancy.js';

/** States that are told as final, by the prefix of the resource's id: no later answer may show another one. */
const endsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  pay: new Set(['captured', 'voided', 'completed', 'declined', 'cancelled', 'expired']),
  re: new Set(['completed', 'failed', 'cancelled', 'declined', 'unfounded']),
  sub: new Set(['cancelled', 'expired', 'declined', 'lapsed']),
  po: new Set(['completed', 'denied', 'cancelled', 'declined']),
};
/** Of a capture: what it may still become. A completed one is refunded, or charged back. */
const endsOfCaptures: ReadonlySet<string> = new Set(['completed', 'denied']);
const undoesCompletion: ReadonlySet<string> = new Set(['pending', 'denied']);

const shown = z
  .object({
    id: z.string(),
    state: z.string(),
    status: z.string(),
    captures: z.array(z.object({ id: z.string(), status: z.string() })),
  })
  .partial();

interface Told {
  readonly state: string;
  /** By what it was told. */
  readonly by: string;
  /** When it had been told, on the campaign's own clock in milliseconds. */
  readonly at: number;
}

/**
 * Compares every end that an order service or a payer was told, in any way, with all later answers. An answer that was
 * requested before the end was told may be older than the end and is not compared.
 */
export class ToldEnds {
  readonly discrepancies: Discrepancy[] = [];
  readonly #ends = new Map<string, Told>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many ends have been told. */
  get count(): number {
    return this.#ends.size;
  }

  /**
   * @param by what has told it: `GET /v1/payments/…`, `redirect`.
   * @param askedAt when it was asked for, on the clock of `now`.
   */
  noteAnswer(body: unknown, by: string, askedAt: number): void {
    const { success, data } = shown.safeParse(body);
    if (!success || data.id === undefined) return;
    const state = data.state ?? data.status;
    if (state !== undefined) this.#note(data.id, state, { by, askedAt });
    for (const capture of data.captures ?? []) {
      this.#note(`capture ${capture.id}`, capture.status, { by, askedAt });
    }
  }

  /** @param address to which the engine sends the payer. */
  noteRedirect(address: string, askedAt: number): void {
    const { searchParams } = new URL(address);
    const id = searchParams.get('payment_id') ?? searchParams.get('subscription_id');
    const state = searchParams.get('state');
    if (id !== null && state !== null) this.#note(id, state, { by: 'redirect', askedAt });
  }

  #note(id: string, state: string, { by, askedAt }: { by: string; askedAt: number }): void {
    const told = this.#ends.get(id);
    if (!told) {
      if (isEnd(id, state)) this.#ends.set(id, { state, by, at: this.now() });
      return;
    }
    if (askedAt < told.at && !isEnd(id, state)) return;
    if (state === told.state || isLaterWordOfCapture(id, told.state, state)) return;
    const later = `${state} (${by}), asked ${Math.round(askedAt - told.at)} ms after that`;
    this.discrepancies.push(finalUndone(`${id} was told ${told.state} (${told.by}), then ${later}`));
  }
}

function isEnd(id: string, state: string): boolean {
  if (id.startsWith('capture ')) return endsOfCaptures.has(state);
  return endsOf[id.split('_', 1)[0] ?? '']?.has(state) === true;
}

function isLaterWordOfCapture(id: string, told: string, state: string): boolean {
  return id.startsWith('capture ') && told === 'completed' && !undoesCompletion.has(state);
}
