import type { ListedEvent } from '#database/console';
import { type Entered, type Issues, Hidden, TextField } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Instant, Table } from '../html/parts.js';
import { eventAddress } from './events-page.js';

const address = '/console/webhook-events';

/** The events that a form is about: those that it shows, whatever comes meanwhile. */
export function againPage({
  visit,
  events,
  key,
  hasMore,
  entered,
  issues = {},
}: {
  readonly visit: Visit;
  readonly events: readonly ListedEvent[];
  /** Of this form: one that is sent twice asks the provider once. */
  readonly key: string;
  readonly hasMore: boolean;
  readonly entered: Entered;
  readonly issues?: Issues;
}): string {
  const ids = events.map(({ id }) => id).join(',');
  return renderPage({
    title: events.length === 1 ? 'Process an event again' : `Process ${events.length} events again`,
    visit,
    section: address,
    children: (
      <>
        <p>
          {hasMore
            ? 'These are the latest 50 of the list. Repeat it for the others.'
            : 'These, and no event that comes meanwhile.'}
        </p>
        {events.length > 0 && (
          <form method="post" action={`${address}/again`} class="stack">
            <Hidden values={{ _csrf: visit.csrfToken, ids, key }} />
            <TextField name="reason" label="Reason" isRequired entered={entered} issues={issues} />
            <AgainButtons />
          </form>
        )}
        <Table
          caption="The events, the latest received one first."
          none="No event matches."
          rows={events}
          columns={[
            { name: 'Event', cell: (event) => <a href={eventAddress(event)}>{event.event_type}</a> },
            { name: 'Status', cell: ({ status }) => status },
            { name: 'Received', cell: ({ received_at: at }) => <Instant at={at} /> },
            { name: 'About', cell: ({ resource }) => resource.id },
          ]}
        />
      </>
    ),
  });
}

function AgainButtons() {
  return (
    <>
      <div class="actions">
        <button type="submit" name="how" value="here">
          Reprocess here
        </button>
        <button type="submit" name="how" value="provider">
          Ask the provider to resend
        </button>
      </div>
      <p class="muted">
        Reprocessing dispatches what we have to its run again; an applied event does not change. The provider
        delivers what it has: a worker asks it within seconds.
      </p>
    </>
  );
}
