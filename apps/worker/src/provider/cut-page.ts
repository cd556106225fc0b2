import type { EventPage } from '#payments-client';

/**
 * A full page without a next page may be the last one, or an incomplete answer. The order of events is not documented,
 * so the rest can only be found by searching shorter time spans.
 *
 * @param pageSize the number of events that were asked for.
 */
export function mayBeCut({ events, unreadable, nextQuery }: EventPage, pageSize: number): boolean {
  return nextQuery === undefined && events.length + unreadable >= pageSize;
}
