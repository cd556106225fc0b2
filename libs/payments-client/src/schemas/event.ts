import { z } from 'zod';
import { MalformedEventError, readWebhookEvent, type WebhookEvent } from '../webhooks/event.js';
import { type Link, links } from './link.js';
import { isListed, optionalCount } from './received.js';

/** A past event and its original document. The caller decides what to store of it. */
export interface FoundEvent {
  readonly event: WebhookEvent;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One page of a search. */
export interface EventPage {
  readonly events: readonly FoundEvent[];
  /** The number of entries that are not events; they are skipped, so that the others can be read. */
  readonly unreadable: number;
  /** Query of the next page, with its question mark. */
  readonly nextQuery: string | undefined;
}

const document = z.record(z.string(), z.unknown());

export const foundEvent: z.ZodType<FoundEvent> = document.transform((body, context) => {
  const found = find(body);
  if (found) return found;
  context.addIssue({ code: 'custom', message: 'is no event' });
  return z.NEVER;
});

export const eventPage: z.ZodType<EventPage> = z
  .object({ events: z.array(document).nullish(), count: optionalCount, links })
  .refine(({ events, count }) => isListed(events, count), 'does not list what it counts')
  .transform((wire) => {
    const entries = wire.events ?? [];
    const events = entries.flatMap((body) => find(body) ?? []);
    return { events, unreadable: entries.length - events.length, nextQuery: nextQuery(wire.links) };
  });

function find(body: Readonly<Record<string, unknown>>): FoundEvent | undefined {
  try {
    return { event: readWebhookEvent(body), body };
  } catch (error) {
    if (error instanceof MalformedEventError) return undefined;
    throw error;
  }
}

/**
 * Only the query of a link is used, and the link is never followed: an answer must not choose where our credentials are
 * sent.
 */
function nextQuery(list: readonly Link[] | null | undefined): string | undefined {
  const href = list?.find(({ rel }) => rel.toLowerCase() === 'next')?.href;
  const search = href === undefined ? undefined : URL.parse(href, 'https://provider.invalid')?.search;
  return search === undefined || search === '' || search.length > 2_000 ? undefined : search;
}
