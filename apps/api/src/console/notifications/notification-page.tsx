import type { NotificationWithDeliveries, listNotificationAttempts } from '#database/notifications';
import { mayAs } from '../../injected/console-user.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Facts, Instant, Notice, Table } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';
import { addressOf, counted, notificationAddress } from '../sentences/words.js';
import { DeliveryState } from './delivery-state.js';

type Attempts = Awaited<ReturnType<typeof listNotificationAttempts>>;

/** A notification, to whom it goes, and each attempt to deliver it. */
export function notificationPage({
  visit,
  notification,
  attempts,
  payload,
  done,
}: {
  readonly visit: Visit;
  readonly notification: NotificationWithDeliveries;
  readonly attempts: Attempts;
  /** Undefined for those who may not see it. */
  readonly payload: string | undefined;
  /** To how many endpoints a form has sent it again. */
  readonly done: unknown;
}): string {
  const { id, subject_id: subject, created_at: at, sequence } = notification;
  return renderPage({
    title: notification.type,
    visit,
    section: '/console/endpoints',
    children: (
      <>
        {typeof done === 'string' && /^\d{1,3}$/.test(done) && (
          <Notice tone="good">{`It is delivered again to ${counted(Number(done), 'endpoint')}.`}</Notice>
        )}
        <Facts
          facts={[
            { name: 'About', value: <SubjectLink id={subject} /> },
            { name: 'Written', value: <Instant at={at} /> },
            { name: 'Id', value: <code>{id}</code> },
            { name: 'Sequence', value: String(sequence) },
            { name: 'Application', value: `${notification.environment}/${notification.application}` },
          ]}
        />
        {mayAs(visit.operator, 'operator') && (
          <ul class="actions" aria-label="Actions">
            <li>
              <a href={`${notificationAddress(notification)}/resend`}>Resend</a>
            </li>
          </ul>
        )}
        <Deliveries notification={notification} />
        <AttemptsMade attempts={attempts} />
        {payload === undefined ? (
          <Notice tone="plain">The payload is for operators.</Notice>
        ) : (
          <section aria-label="Payload">
            <h2>Payload</h2>
            <pre tabindex={0}>{JSON.stringify(JSON.parse(payload), undefined, 2)}</pre>
          </section>
        )}
      </>
    ),
  });
}

function Deliveries({ notification: { deliveries } }: { notification: NotificationWithDeliveries }) {
  return (
    <>
      <h2>Deliveries</h2>
      <Table
        caption="The endpoints that it is for."
        none="No endpoint takes it."
        rows={deliveries}
        columns={[
          {
            name: 'Endpoint',
            cell: ({ endpoint_id: id }) => <a href={addressOf(id)}>{`${id.slice(0, 14)}…`}</a>,
          },
          { name: 'State', cell: ({ state }) => <DeliveryState state={state} /> },
          { name: 'Attempts', isNumber: true, cell: ({ tries }) => String(tries) },
          { name: 'Last problem', cell: ({ last_reason: reason }) => reason ?? '–' },
          {
            name: 'Next attempt',
            cell: ({ state, due_at: at }) => (state === 'pending' ? <Instant at={Date.parse(at)} /> : '–'),
          },
          {
            name: 'Ended',
            cell: ({ finished_at: at }) => (at === null ? '–' : <Instant at={Date.parse(at)} />),
          },
        ]}
      />
    </>
  );
}

function AttemptsMade({ attempts }: { attempts: Attempts }) {
  return (
    <>
      <h2>Attempts</h2>
      <Table
        caption="Each request to an endpoint, the first one first."
        none="Nothing was sent yet."
        rows={attempts}
        columns={[
          { name: 'At', cell: ({ begun_at: at }) => <Instant at={at} /> },
          {
            name: 'Endpoint',
            cell: ({ endpoint_id: id }) => <a href={addressOf(id)}>{`${id.slice(0, 14)}…`}</a>,
          },
          {
            name: 'Took',
            isNumber: true,
            cell: ({ duration_ms: ms }) => (ms === null ? 'no end recorded' : `${ms} ms`),
          },
          {
            name: 'Status',
            isNumber: true,
            cell: ({ status }) => (status === null ? 'no answer' : String(status)),
          },
          { name: 'Problem', cell: ({ reason }) => reason ?? '–' },
        ]}
      />
    </>
  );
}
