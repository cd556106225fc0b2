import type { listProviderResends } from '#database/events';
import { mayAs } from '../../injected/console-user.js';
import type { WebhookEventAnswer } from '../../webhooks/webhook-event-answers.js';
import { Hidden, TextField } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Facts, Instant, Notice, Table } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';
import { Status } from './events-page.js';

type AskedResend = Awaited<ReturnType<typeof listProviderResends>>[number];

const address = '/console/webhook-events';

/** @param event as the API shows it. */
export function eventPage({
  visit,
  event,
  asked,
  own,
  key,
  done: outcome,
}: {
  readonly visit: Visit;
  readonly event: WebhookEventAnswer;
  /** The requests to the provider to deliver it again. */
  readonly asked: readonly AskedResend[];
  readonly own: string;
  /** Of the form: one that is sent twice asks the provider once. */
  readonly key: string;
  /** What a form has led to. */
  readonly done: unknown;
}): string {
  const mayAct = mayAs(visit.operator, 'operator');
  return renderPage({
    title: event.type,
    visit,
    section: address,
    children: (
      <>
        {outcome === 'here' && <Notice tone="good">The event is dispatched again.</Notice>}
        {outcome === 'provider' && <Notice tone="good">The provider is asked to deliver it again.</Notice>}
        {outcome === 'no-reason' && <Notice tone="bad">Nothing was done: a reason is needed.</Notice>}
        <Facts
          facts={[
            { name: 'Status', value: <Status status={event.state} /> },
            { name: 'Why', value: event.detail ?? '–' },
            { name: 'Id', value: <code>{event.id}</code> },
            { name: 'About', value: <code>{event.resource.id}</code> },
            { name: 'Our subject', value: <SubjectLink id={event.subjectId} /> },
            { name: 'Deliveries', value: String(event.deliveries) },
            { name: 'Found by', value: event.source },
          ]}
        />
        {mayAct && <AgainForm own={own} csrfToken={visit.csrfToken} keyOfForm={key} />}
        <History event={event} asked={asked} />
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

function AgainForm({ own, csrfToken, keyOfForm }: { own: string; csrfToken: string; keyOfForm: string }) {
  return (
    <form method="post" action={`${own}/reprocess`} class="stack">
      <Hidden values={{ _csrf: csrfToken, key: keyOfForm }} />
      <TextField name="reason" label="Reason" isRequired entered={{}} issues={{}} />
      <div class="actions">
        <button type="submit">Reprocess here</button>
        <button type="submit" formaction={`${own}/ask-provider`}>
          Ask the provider to resend
        </button>
      </div>
      <p class="muted">
        Reprocessing dispatches the event to its run again; an applied event does not change. The provider
        delivers it once more.
      </p>
    </form>
  );
}

function History({ event, asked }: { event: WebhookEventAnswer; asked: readonly AskedResend[] }) {
  return (
    <>
      <h2>History</h2>
      <Table
        caption="Each state with its time."
        none=""
        rows={event.history}
        columns={[
          { name: 'At', cell: ({ at }) => <Instant at={Date.parse(at)} /> },
          { name: 'Status', cell: ({ state }) => state },
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
      {asked.length > 0 && (
        <Table
          caption="Requests to the provider to deliver it again."
          none=""
          rows={asked}
          columns={[
            { name: 'At', cell: ({ requested_at: at }) => <Instant at={at} /> },
            { name: 'By', cell: ({ requested_by: by }) => by },
            {
              name: 'Answer',
              cell: ({ finished_at: at, problem }) =>
                problem ?? (at ? 'it delivers it again' : 'not asked yet'),
            },
          ]}
        />
      )}
    </>
  );
}
