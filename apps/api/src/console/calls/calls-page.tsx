import type { findCall, ShownCall } from '#database/console';
import { mayAs } from '../../injected/console-user.js';
import { type FilterField, Filters, olderAddress } from '../html/filters.js';
import type { Entered, Issues, Option } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Facts, Instant, Notice, Pages, Table } from '../html/parts.js';
import { addressOf } from '../sentences/words.js';

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
  entered,
  issues,
  calls,
  hasMore,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly entered: Entered;
  readonly issues: Issues;
  readonly calls: readonly ShownCall[];
  readonly hasMore: boolean;
}): string {
  const last = calls.at(-1);
  return renderPage({
    title: 'API calls',
    visit,
    section: address,
    children: (
      <>
        <Filters address={address} fields={fieldsWith(applications)} entered={entered} issues={issues} />
        <Table
          caption="Our calls to the provider, the latest first."
          none="No call is like that."
          rows={calls}
          columns={[
            {
              name: 'Call',
              cell: ({ id, method, path }) => <a href={`${address}/${id}`}>{`${method} ${path}`}</a>,
            },
            { name: 'Status', cell: (call) => <Status {...call} /> },
            { name: 'At', cell: ({ started_at: at }) => <Instant at={at} /> },
            { name: 'Took', isNumber: true, cell: ({ duration_ms: ms }) => `${ms} ms` },
            { name: 'About', cell: ({ subject_id: id }) => <Subject id={id} /> },
            { name: 'Transaction', cell: ({ transaction_id: id }) => id ?? '–' },
          ]}
        />
        <Pages
          first={address}
          isFirst={entered['cursor'] === undefined}
          older={hasMore && last ? olderAddress(address, entered, last.id) : undefined}
        />
      </>
    ),
  });
}

function Status({ status, error }: Pick<ShownCall, 'status' | 'error'>) {
  if (status === null) return <Badge tone="bad">{error ?? 'no answer'}</Badge>;
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'caution' : 'bad'}>{String(status)}</Badge>;
}

function Subject({ id }: { id: string | null }) {
  return id === null ? <>–</> : <a href={addressOf(id)}>{`${id.slice(0, 14)}…`}</a>;
}

type WholeCall = NonNullable<Awaited<ReturnType<typeof findCall>>>;

/** Bodies are redacted, and still only for those who act. */
export function callPage({ visit, call }: { readonly visit: Visit; readonly call: WholeCall }): string {
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
            { name: 'About', value: <Subject id={call.subject_id} /> },
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
