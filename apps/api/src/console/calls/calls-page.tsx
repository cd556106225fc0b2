import { type findCall, mostLookedThrough, type ShownCall } from '#database/console';
import { mayAs } from '../../injected/console-user.js';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { FilterField } from '../html/filters.js';
import type { Option } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Facts, Instant, Notice } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';

const address = '/console/calls';

const statuses = ['2', '3', '4', '5', 'none'].map((value) => ({
  value,
  label: value === 'none' ? 'no answer' : `${value}00 to ${value}99`,
}));
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((value) => ({ value, label: value }));

const fieldsWith = (applications: readonly Option[]): readonly FilterField[] => [
  { name: 'application', label: 'Application', options: applications },
  { name: 'method', label: 'Method', options: methods },
  { name: 'status', label: 'Status', options: statuses },
  { name: 'path', label: 'Address has' },
  { name: 'transaction', label: 'Transaction id' },
  { name: 'subject', label: 'Our id' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

export function callsPage({
  visit,
  applications,
  found,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly found: FoundPage<ShownCall>;
}): string {
  return renderPage({
    title: 'API calls',
    visit,
    section: address,
    children: (
      <FilteredList
        address={address}
        keyOf={({ id }) => id}
        fields={fieldsWith(applications)}
        found={found}
        caption={captionOf(found)}
        none="No call is like that."
        columns={[
          {
            name: 'Call',
            cell: ({ id, method, path }) => <a href={`${address}/${id}`}>{`${method} ${path}`}</a>,
          },
          { name: 'Status', cell: (call) => <Status {...call} /> },
          { name: 'At', cell: ({ started_at: at }) => <Instant at={at} /> },
          { name: 'Took', isNumber: true, cell: ({ duration_ms: ms }) => `${ms} ms` },
          { name: 'About', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
          { name: 'Transaction', cell: ({ transaction_id: id }) => id ?? '–' },
        ]}
      />
    ),
  });
}

function captionOf({ entered }: FoundPage<ShownCall>): string {
  const caption = 'Our calls to the provider, the latest first.';
  if (entered['path'] === undefined) return caption;
  const most = mostLookedThrough.toLocaleString('en');
  return `${caption} A part of an address is looked for in the latest ${most}; a day, one of our ids or a transaction finds older ones.`;
}

function Status({ status, error }: Pick<ShownCall, 'status' | 'error'>) {
  if (status === null) return <Badge tone="bad">{error ?? 'no answer'}</Badge>;
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'caution' : 'bad'}>{String(status)}</Badge>;
}

type WholeCall = NonNullable<Awaited<ReturnType<typeof findCall>>>;

/** Bodies are redacted, and still only for those who act. */
export function callPage({
  visit,
  call,
  curl,
}: {
  readonly visit: Visit;
  readonly call: WholeCall;
  /** The same call as a command. */
  readonly curl: string;
}): string {
  const mayRead = mayAs(visit.operator, 'operator');
  return renderPage({
    title: `${call.method} ${call.path}`,
    visit,
    section: address,
    children: (
      <>
        <Facts
          facts={[
            { name: 'Status', value: <Status {...call} /> },
            { name: 'Began', value: <Instant at={call.started_at} /> },
            { name: 'Took', value: `${call.duration_ms} ms` },
            { name: 'Operation', value: call.operation },
            { name: 'About', value: <SubjectLink id={call.subject_id} /> },
            { name: 'Application', value: `${call.environment}/${call.application}` },
            { name: 'Request id', value: call.request_id ?? '–' },
            { name: 'Debug id', value: call.debug_id ?? '–' },
            { name: 'Transaction', value: call.transaction_id ?? '–' },
          ]}
        />
        {!mayRead && <Notice tone="plain">Headers and bodies are for operators.</Notice>}
        {mayRead && (
          <>
            <Document title="Request" headers={call.request_headers} body={call.request} />
            <Document title="Response" headers={call.response_headers} body={call.response} />
            <section aria-label="As curl">
              <h2>As curl</h2>
              <pre tabindex={0} class="whole">
                {curl}
              </pre>
              <p class="muted">One click selects all of it. Redacted values must be filled in.</p>
            </section>
          </>
        )}
      </>
    ),
  });
}

function Document({ title, headers, body }: { title: string; headers: unknown; body: unknown }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <pre tabindex={0}>{JSON.stringify(headers, undefined, 2)}</pre>
      <pre tabindex={0}>{body === null ? 'no body' : JSON.stringify(body, undefined, 2)}</pre>
    </section>
  );
}
