import { randomUUID } from 'node:crypto';
import type { Caller } from '../transport/caller.js';
import type { CallOptions } from '../client-options.js';
import type { Dialect } from '../dialect.js';
import { getEvent, resendEvent, searchEvents } from '../operations/notifications.js';
import { queryOf, toWire } from '../transport/outgoing.js';
import type { EventPage, FoundEvent } from '../schemas/event.js';
import {
  type EventSearch,
  eventSearch,
  type ResendRequest,
  resendRequest,
} from '../schemas/notification-requests.js';

/** Past webhook events (6, rule 4), including those that were never delivered. */
export class Events {
  readonly #caller: Caller;
  readonly #dialect: Dialect;

  constructor(caller: Caller, dialect: Dialect) {
    this.#caller = caller;
    this.#dialect = dialect;
  }

  /**
   * The pages of a search, in the provider's order. Each page is requested when the previous one was consumed. An event
   * appears after its transition is committed, with the instant at which the transition began. So a search that
   * continues an earlier one must overlap it.
   * @throws UnavailableError, RejectedError, …
   */
  async *search(search: EventSearch = {}, options: CallOptions = {}): AsyncGenerator<EventPage, void> {
    let query = queryOf(toWire(eventSearch, search, { operation: searchEvents.name }));
    // Stops if pages refer to each other in a circle.
    const asked = new Set<string>();
    for (;;) {
      asked.add(query);
      const page = await this.#caller.perform(searchEvents, { ...options, query });
      yield page;
      if (page.nextQuery === undefined || asked.has(page.nextQuery)) return;
      query = page.nextQuery;
    }
  }

  /** @throws NotFoundError (perhaps not yet there), UnavailableError, … */
  get(id: string, options: CallOptions = {}): Promise<FoundEvent> {
    return this.#caller.perform(getEvent(this.#dialect.eventPath), { ...options, id });
  }

  /**
   * Requests another delivery of the event. @throws NotFoundError, RejectedError, UnavailableError: perhaps delivered
   * again, …
   */
  async resend(
    id: string,
    { signal, notRepeatedFrom, ...request }: ResendRequest & CallOptions = {},
  ): Promise<FoundEvent> {
    const operation = resendEvent(this.#dialect.eventPath);
    const body = toWire(resendRequest, request, { operation: operation.name });
    return this.#caller.perform(operation, { id, body, requestId: randomUUID(), signal, notRepeatedFrom });
  }
}
