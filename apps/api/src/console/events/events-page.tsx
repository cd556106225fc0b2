import type { ListedEvent } from '#database/console';
import { webhookStatuses } from '#database/schema';
import { mayAs } from '../../injected/console-user.js';
import type { WebhookEventAnswer } from '../../webhooks/webhook-event-answers.js';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { FilterField } from '../html/filters.js';
import type { Option } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Facts, Instant, Notice, Table } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';

const address = '/console/webhook-events';

const fieldsWith = (applications: readonly Option[]): readonly FilterField[] => [
  { name: 'application', label: 'Application', options: applications },
  { name: 'status', label: 'Status', options: webhookStatuses.map((value) => ({ value, label: value })) },
  { name: 'type', label: 'Type' },
  { name: 'resource', label: 'Id of the provider’s' },
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
      <FilteredList
        address={address}
        fields={fieldsWith(applications)}
        found={found}
        caption="The provider’s events, the latest received one first."
        none="No event is like that."
        columns={[
          { name: 'Event', cell: (event) => <a href={eventAddress(event)}>{event.event_type}</a> },
          { name: 'Status', cell: ({ status }) => <Status status={status} /> },
          { name: 'Received', cell: ({ received_at: at }) => <Instant at={at} /> },
          { name: 'About', cell: ({ resource }) => resource.id },
          { name: 'Our subject', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
          { name: 'Why', cell: ({ detail }) => detail ?? '–' },
        ]}
      />
    ),
  });
}

export function eventAddress(event: {
  readonly environment: string;
  readonly application: string;
  readonly event_id: string;
}): string {
  return `${address}/${event.environment}/${event.application}/${encodeURIComponent(event.event_id)}`;
}

function Status({ status }: { status: string }) {
  const isBad = status === 'conflict' || status === 'contested';
  return <Badge tone={isBad ? 'bad' : status === 'applied' ? 'good' : 'plain'}>{status}</Badge>;
}

/** @param event as the API shows it. */
export function eventPage({
  visit,
  event,
  own,
  isResent,
}: {
  readonly visit: Visit;
  readonly event: WebhookEventAnswer;
  readonly own: string;
  readonly isResent: boolean;
}): string {
  const mayAct = mayAs(visit.operator, 'operator');
  return renderPage({
    title: event.type,
    visit,
    section: address,
    children: (
      <>
        {isResent && <Notice tone="good">The event is dispatched again.</Notice>}
        <Facts
          facts={[
            { name: 'Status', value: <Status status={event.status} /> },
            { name: 'Why', value: event.detail ?? '–' },
            { name: 'Id', value: <code>{event.id}</code> },
            { name: 'About', value: <code>{event.resource.id}</code> },
            { name: 'Our subject', value: <SubjectLink id={event.subjectId} /> },
            { name: 'Deliveries', value: String(event.deliveries) },
            { name: 'Found by', value: event.source },
          ]}
        />
        {mayAct && <ReprocessForm own={own} csrfToken={visit.csrfToken} />}
        <History event={event} />
        {mayAct ? (
          <section aria-label="Payload">
            <h2>Payload</h2>
            <pre tabindex={0}>{JSON.stringify(event.payload, undefined, 2)}</pre>
          </section>
        ) : (
          <Notice tone="plain">The payload is for operators.</Notice>
        )}
      </>
    ),
  });
}

function ReprocessForm({ own, csrfToken }: { own: string; csrfToken: string }) {
  return (
    <form method="post" action={`${own}/reprocess`} class="stack">
      <input type="hidden" name="_csrf" value={csrfToken} />
      <div class="field">
        <label for="reason">Reason</label>
        <input id="reason" name="reason" maxlength={1000} required autocomplete="off" />
      </div>
      <button type="submit">Reprocess here</button>
      <p class="muted">Dispatches the event to its run again. An applied event does not change.</p>
    </form>
  );
}

function History({ event }: { event: WebhookEventAnswer }) {
  return (
    <>
      <h2>History</h2>
      <Table
        caption="Each status with its time."
        none=""
        rows={event.history}
        columns={[
          { name: 'At', cell: ({ at }) => <Instant at={Date.parse(at)} /> },
          { name: 'Status', cell: ({ status }) => status },
          { name: 'Why', cell: ({ detail }) => detail ?? '–' },
        ]}
      />
      {event.resends.length > 0 && (
        <Table
          caption="Requests to dispatch it again."
          none=""
          rows={event.resends}
          columns={[
            { name: 'At', cell: ({ at }) => <Instant at={Date.parse(at)} /> },
            { name: 'By', cell: ({ requestedBy }) => requestedBy },
          ]}
        />
      )}
    </>
  );
}
