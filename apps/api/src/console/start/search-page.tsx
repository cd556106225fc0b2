import type { Match } from '#database/console';
import { renderPage, type Visit } from '../html/layout.js';
import { Table } from '../html/parts.js';
import { addressOf, notificationAddress } from '../sentences/words.js';

export interface SearchPage {
  readonly visit: Visit;
  readonly searched: string;
  readonly matches: readonly Match[];
}

/** For an id that leads to nothing, or to more than one thing. */
export function searchPage({ visit, searched, matches }: SearchPage): string {
  return renderPage({
    title: 'Search',
    visit,
    searched,
    children: (
      <>
        <p class="lead">
          {matches.length === 0
            ? `Nothing has exactly the id “${searched}”.`
            : `${matches.length} things have this id.`}
        </p>
        <Table
          caption={`Found by “${searched}”.`}
          none="Ids are compared as a whole: an order’s id, one of ours, one of the provider’s, an event’s, a debug id, an invoice number."
          rows={matches}
          columns={[
            {
              name: 'Page',
              cell: (match) => (
                <a href={pageOf(match)}>
                  {match.subject_id ?? match.notification_id ?? match.event_id ?? 'call'}
                </a>
              ),
            },
            { name: 'Found as', cell: ({ what }) => what },
            {
              name: 'Application',
              cell: ({ environment, application }) => (application ? `${environment}/${application}` : '–'),
            },
          ]}
        />
      </>
    ),
  });
}

/** The page that a match leads to. */
export function pageOf({
  subject_id: subject,
  event_id: event,
  call_id: call,
  notification_id: notification,
  environment,
  application,
}: Match): string {
  if (call !== null) return `/console/calls/${call}`;
  if (notification !== null) return notificationAddress({ environment, application, id: notification });
  if (event !== null)
    return `/console/webhook-events/${environment}/${application}/${encodeURIComponent(event)}`;
  return subject === null ? '/console' : addressOf(subject);
}
