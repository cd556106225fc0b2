import { mostCountedDeliveries, type ShownEndpoint, shownEndpointStates } from '#database/console';
import { withoutSecrets } from '../../notifications/shown-address.js';
import type { Entered, Issues, Option } from '../html/form.js';
import { Filters } from '../html/filters.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Instant, Table } from '../html/parts.js';
import { addressOf } from '../sentences/words.js';

const address = '/console/endpoints';

/** Where order services are told, and what waits for them. */
export function endpointsPage({
  visit,
  applications,
  entered,
  issues,
  endpoints,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly entered: Entered;
  readonly issues: Issues;
  readonly endpoints: readonly ShownEndpoint[];
}): string {
  return renderPage({
    title: 'Notification endpoints',
    visit,
    section: address,
    live: 10,
    children: (
      <>
        <Filters
          address={address}
          fields={[
            { name: 'application', label: 'Application', options: applications },
            {
              name: 'state',
              label: 'State',
              options: shownEndpointStates.map((value) => ({ value, label: value })),
            },
          ]}
          entered={entered}
          issues={issues}
        />
        <Table
          caption="The endpoints of order services, the oldest first."
          none="No endpoint is like that."
          rows={endpoints}
          columns={[
            { name: 'Endpoint', cell: ({ id, url }) => <a href={addressOf(id)}>{withoutSecrets(url)}</a> },
            { name: 'Application', cell: (row) => `${row.environment}/${row.application}` },
            { name: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
            { name: 'Why', cell: whyText },
            { name: 'Pending', isNumber: true, cell: ({ pending }) => countText(pending) },
            { name: 'Oldest pending', cell: ({ oldest_pending: at }) => (at ? <Instant at={at} /> : '–') },
            { name: 'Failed', isNumber: true, cell: ({ failed }) => countText(failed) },
          ]}
        />
      </>
    ),
  });
}

export function countText(count: number): string {
  return count > mostCountedDeliveries ? `${mostCountedDeliveries.toLocaleString('en')}+` : String(count);
}

export function EndpointState({ endpoint: { status, failing_since: since } }: { endpoint: ShownEndpoint }) {
  if (status !== 'enabled') return <Badge tone="bad">{status}</Badge>;
  return since ? <Badge tone="caution">failing</Badge> : <Badge tone="good">enabled</Badge>;
}

export function whyText({ status_reason: reason, failing_since: since }: ShownEndpoint): string {
  const failing = since
    ? `Every attempt has failed since ${since.toISOString().slice(0, 16).replace('T', ' ')}.`
    : '';
  return [reason ?? '', failing].filter((part) => part !== '').join(' ') || '–';
}
