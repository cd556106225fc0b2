import { z } from 'zod';
import { type Discrepancy, notificationEarly } from '../discrepancy.js';
import type { OrderService } from '../order-service.js';
import type { Random } from '../random.js';
import { isEnd, mayFollow } from '../reported-states.js';
import { pathOf, type Reception, shownBy } from './reception.js';

const told = z.object({ version: z.int() });
const view = z.object({ state: z.string(), version: z.int() });

/** Of those that tell no end. */
const share = 0.25;

/** What an order service reads when a notification comes is not older than what it was told. */
export class ReadsAtReception {
  readonly discrepancies: Discrepancy[] = [];
  readonly #reading = new Set<Promise<void>>();

  constructor(
    private readonly orderService: OrderService,
    private readonly random: Random,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads the resource at once: each that has ended, and some of the others. An item of a payout is in a list only. */
  note(reception: Reception): void {
    const own = shownBy(reception);
    if (own.name.startsWith('item ')) return;
    if (!isEnd(own) && !this.random.chance(share)) return;
    const reading = this.#read(reception).catch((error: unknown) => {
      // A campaign that is stopped reads no more.
      if (!this.signal.aborted) this.discrepancies.push(early(reception, `not readable: ${String(error)}`));
    });
    this.#reading.add(reading);
    void reading.finally(() => this.#reading.delete(reading));
  }

  async untilRead(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading);
  }

  async #read(reception: Reception): Promise<void> {
    const own = shownBy(reception);
    const { version } = told.parse(reception.data);
    const seen = await this.orderService.read(pathOf(own.name), view, this.signal);
    if (seen.version < version || (isEnd(own) && !mayFollow(own, seen.state))) {
      const what = `told as ${own.state} in version ${version}, then read as ${seen.state} in version ${seen.version}`;
      this.discrepancies.push(early(reception, what));
    }
  }
}

function early({ id, type, data }: Reception, what: string): Discrepancy {
  return notificationEarly(`${id}, ${type} of ${shownBy({ type, data }).name}: ${what}`);
}
