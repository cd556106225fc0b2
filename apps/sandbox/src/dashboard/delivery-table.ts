import { html, type Html } from '../pages/html.js';
import type { ListedAttempt, ListedDelivery } from '../webhooks/delivery-list.js';
import { badge, instant, link, statusBadge, table, type Column, type Tone } from './elements.js';

const TONES: Readonly<Record<ListedDelivery['state'], Tone>> = {
  delivered: 'good',
  pending: 'plain',
  dropped: 'caution',
  abandoned: 'bad',
};

const COLUMNS: readonly Column<ListedDelivery>[] = [
  { name: 'Delivery', kind: 'number', cell: ({ id }) => String(id) },
  {
    name: 'Webhook',
    kind: 'id',
    cell: ({ webhookId }) => html`<a class="code" href="/dashboard/webhooks/${webhookId}">${webhookId}</a>`,
  },
  { name: 'State', kind: 'short', cell: ({ state }) => badge(TONES[state], state) },
  { name: 'Attempts', kind: 'wide', cell: attempts },
  {
    name: 'Next attempt',
    kind: 'instant',
    cell: ({ state, dueAt }) => (state === 'pending' ? instant(dueAt) : ''),
  },
];

/** Deliveries with all their attempts. */
export function deliveryTable(deliveries: readonly ListedDelivery[], showEvent = false): Html {
  const event: Column<ListedDelivery> = {
    name: 'Event',
    kind: 'id',
    cell: ({ eventId, eventType }) => link(`/dashboard/events/${eventId}`, eventType),
  };
  const [delivery, ...others] = COLUMNS;
  const columns = showEvent && delivery !== undefined ? [delivery, event, ...others] : COLUMNS;
  return table('Deliveries, newest first; times are UTC', columns, deliveries);
}

function attempts({ attempts }: ListedDelivery): Html {
  if (attempts.length === 0) return html`none yet`;
  return html`<ol>
    ${attempts.map((attempt) => html`<li>${outcome(attempt)}</li>`)}
  </ol>`;
}

function outcome(attempt: ListedAttempt): Html {
  const { status, failure, fault, durationMs, startedAt, transmissionId } = attempt;
  const answer =
    status === null
      ? badge('bad', failure ?? (durationMs === null ? 'running' : 'no answer'))
      : statusBadge(status);
  return html`${instant(new Date(startedAt))} ${status === null && fault !== null ? '' : answer}
  ${fault === null ? '' : badge('caution', fault)} ${durationMs === null ? '' : `${durationMs} ms`}
  ${transmissionId === null ? '' : html`<span class="code muted">${transmissionId}</span>`}`;
}
