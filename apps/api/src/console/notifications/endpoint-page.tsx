import type { ShownEndpoint } from '#database/console';
import { notificationTypeNames, type NotificationWithDeliveries } from '#database/notifications';
import { deliveryStates } from '#database/schema';
import { mayAs } from '../../injected/console-user.js';
import { withoutSecrets } from '../../notifications/shown-address.js';
import { ActionList } from '../html/action-list.js';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { FilterField } from '../html/filters.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Facts, Instant, Notice } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';
import { addressOf, counted, notificationAddress } from '../sentences/words.js';
import { DeliveryState } from './delivery-state.js';
import { countText, EndpointState, whyText } from './endpoints-page.js';

const enabling = { name: 'enable', label: 'Enable' };
const resending = { name: 'resend', label: 'Resend' };

const fields: readonly FilterField[] = [
  { name: 'type', label: 'Type', options: notificationTypeNames.map((value) => ({ value, label: value })) },
  { name: 'state', label: 'State', options: deliveryStates.map((value) => ({ value, label: value })) },
  { name: 'subject', label: 'Our id' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

/** An endpoint, and what was sent to it. */
export function endpointPage({
  visit,
  endpoint,
  found,
}: {
  readonly visit: Visit;
  readonly endpoint: ShownEndpoint;
  readonly found: FoundPage<NotificationWithDeliveries>;
}): string {
  const address = addressOf(endpoint.id);
  const mayAct = mayAs(visit.operator, 'operator') && endpoint.status !== 'deleted';
  const { done } = found.entered;
  return renderPage({
    title: `Endpoint ${withoutSecrets(endpoint.url)}`,
    visit,
    section: '/console/endpoints',
    children: (
      <>
        <DoneNotice done={done} endpoint={endpoint} />
        <Particulars endpoint={endpoint} visit={visit} />
        {mayAct && (
          <ActionList
            address={address}
            actions={[...(endpoint.status === 'disabled' ? [enabling] : []), resending]}
            visit={visit}
            hasCheck={false}
            called="Actions"
          />
        )}
        <h2>Notifications</h2>
        <FilteredList
          address={address}
          keyOf={({ sequence }) => sequence}
          fields={fields}
          found={found}
          caption="What was written for this endpoint, the latest first."
          none="No notification is like that."
          columns={columnsOf(endpoint)}
        />
      </>
    ),
  });
}

function DoneNotice({ done = '', endpoint }: { done: string | undefined; endpoint: ShownEndpoint }) {
  if (done === 'enabled') return <EnabledNotice endpoint={endpoint} />;
  if (done === 'unchanged')
    return <Notice tone="caution">It has changed meanwhile. Nothing was done.</Notice>;
  if (!/^\d{1,6}$/.test(done)) return null;
  return <Notice tone="good">{`To be delivered again: ${counted(Number(done), 'notification')}.`}</Notice>;
}

/** What was written while it was disabled has failed. */
function EnabledNotice({ endpoint: { id, failed } }: { endpoint: ShownEndpoint }) {
  return (
    <Notice tone="good">
      It is enabled: what is pending is sent at once.{' '}
      {failed > 0 && (
        <>
          What has failed ({countText(failed)}) is not:{' '}
          <a href={`${addressOf(id)}/resend?which=failed`}>resend it</a>.
        </>
      )}
    </Notice>
  );
}

function columnsOf({ id: endpointId }: ShownEndpoint) {
  const deliveryOf = ({ deliveries }: NotificationWithDeliveries) =>
    deliveries.find(({ endpoint_id: id }) => id === endpointId);
  return [
    {
      name: 'Notification',
      cell: (row: NotificationWithDeliveries) => <a href={notificationAddress(row)}>{row.type}</a>,
    },
    { name: 'About', cell: ({ subject_id: id }: NotificationWithDeliveries) => <SubjectLink id={id} /> },
    { name: 'Written', cell: ({ created_at: at }: NotificationWithDeliveries) => <Instant at={at} /> },
    {
      name: 'State',
      cell: (row: NotificationWithDeliveries) => <DeliveryState state={deliveryOf(row)?.state} />,
    },
    {
      name: 'Attempts',
      isNumber: true,
      cell: (row: NotificationWithDeliveries) => String(deliveryOf(row)?.tries ?? 0),
    },
    {
      name: 'Last problem',
      cell: (row: NotificationWithDeliveries) => deliveryOf(row)?.last_reason ?? '–',
    },
  ];
}

function Particulars({ endpoint, visit }: { endpoint: ShownEndpoint; visit: Visit }) {
  const { oldest_pending: oldest, resting_until: rests, event_types: types } = endpoint;
  return (
    <Facts
      facts={[
        { name: 'State', value: <EndpointState endpoint={endpoint} /> },
        { name: 'Why', value: whyText(endpoint) },
        { name: 'Pending', value: countText(endpoint.pending) },
        oldest ? { name: 'Oldest pending', value: <Instant at={oldest} /> } : undefined,
        { name: 'Failed', value: countText(endpoint.failed) },
        rests && rests.getTime() > Date.now()
          ? { name: 'Tried again at', value: <Instant at={rests} /> }
          : undefined,
        mayAs(visit.operator, 'operator')
          ? { name: 'Address', value: <code>{endpoint.url}</code> }
          : undefined,
        { name: 'Description', value: endpoint.description ?? '–' },
        { name: 'Types', value: types.length === 0 ? 'all' : types.join(', ') },
        { name: 'Id', value: <code>{endpoint.id}</code> },
        { name: 'Application', value: `${endpoint.environment}/${endpoint.application}` },
        { name: 'Registered', value: <Instant at={endpoint.created_at} /> },
      ]}
    />
  );
}
