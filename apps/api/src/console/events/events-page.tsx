import type { ListedEvent } from '#database/console';
import { webhookStatuses } from '#database/schema';
import { mayAs } from '../../injected/console-user.js';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { FilterField } from '../html/filters.js';
import { renderPage, type Visit } from '../html/layout.js';
import type { Entered, Option } from '../html/form.js';
import { Badge, Instant, Notice } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';

const address = '/console/webhook-events';

const fieldsWith = (applications: readonly Option[]): readonly FilterField[] => [
  { name: 'application', label: 'Application', options: applications },
  { name: 'status', label: 'Status', options: webhookStatuses.map((value) => ({ value, label: value })) },
  { name: 'type', label: 'Type' },
  { name: 'resource', label: 'Provider’s id' },
  { name: 'subject', label: 'Our id' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

export function eventsPage({
  visit,
  applications,
  found,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly found: FoundPage<ListedEvent>;
}): string {
  return renderPage({
    title: 'Webhook events',
    visit,
    section: address,
    children: (
      <>
        {done(found.entered)}
        <FilteredList
          address={address}
          keyOf={({ id }) => id}
          fields={fieldsWith(applications)}
          found={found}
          caption="The provider’s events, the latest received one first."
          none="No event matches."
          columns={[
            { name: 'Event', cell: (event) => <a href={eventAddress(event)}>{event.event_type}</a> },
            { name: 'Status', cell: ({ status }) => <Status status={status} /> },
            { name: 'Received', cell: ({ received_at: at }) => <Instant at={at} /> },
            { name: 'About', cell: ({ resource }) => resource.id },
            { name: 'Our subject', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
            { name: 'Why', cell: ({ detail }) => detail ?? '–' },
          ]}
        />
        {found.rows.length > 0 && mayAs(visit.operator, 'operator') && (
          <p>
            <a href={`${address}/again?${new URLSearchParams(found.entered).toString()}`}>
              Process these again …
            </a>
          </p>
        )}
      </>
    ),
  });
}

/** After a form about several events. */
function done({ done: count, of, how }: Entered) {
  if (count === undefined || !/^\d+$/.test(count)) return null;
  const what = how === 'provider' ? 'The provider is asked to resend' : 'Dispatched again:';
  const all = of === count ? '' : ` of ${of ?? ''}; the others were dispatched again too often`;
  return <Notice tone={of === count ? 'good' : 'caution'}>{`${what} ${count}${all}.`}</Notice>;
}

export function eventAddress(event: {
  readonly environment: string;
  readonly application: string;
  readonly event_id: string;
}): string {
  return `${address}/${event.environment}/${event.application}/${encodeURIComponent(event.event_id)}`;
}

export function Status({ status }: { status: string }) {
  const isBad = status === 'conflict' || status === 'contested';
  return <Badge tone={isBad ? 'bad' : status === 'applied' ? 'good' : 'plain'}>{status}</Badge>;
}
