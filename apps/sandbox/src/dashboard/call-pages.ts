import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { callFilters } from '../calls/call-filters.js';
import { findCall, findCalls, type ListedCall } from '../calls/find-calls.js';
import { callsInFlight } from '../calls/list-calls.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checkedId } from '../http/validation.js';
import { html, type Html } from '../pages/html.js';
import { applicationChoices, accountChoices } from './choices.js';
import {
  address,
  badge,
  definitions,
  document,
  instant,
  link,
  pageLinks,
  statusBadge,
  table,
  type Column,
} from './elements.js';
import { applicationField, ENVIRONMENT_FIELD, PERIOD_FIELDS, type FilterField } from './filter-form.js';
import { filteredPage } from './filtered-page.js';
import { addPage } from './pages.js';
import { accountLink, applicationLink, transactionLink } from './subject-links.js';

const PATH = '/dashboard/calls';
const ROWS_OF_A_PAGE = 50;
const filters = z.object(callFilters);

/** The API call history (interface, section 1). */
export function addCallPages(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/calls', async ({ query }) => {
    await context.calls.flush();
    return await filteredPage({
      title: 'API call history',
      section: PATH,
      query,
      schema: filters,
      fields: await filterFields(context),
      above: (values, { before, after }) =>
        before === undefined && after === undefined ? inFlight(context, values?.clientId) : '',
      list: async (values, texts) => {
        const found = await findCalls(context.database, values, ROWS_OF_A_PAGE);
        return html`${table('Calls that have ended, newest first; times are UTC', CALL_COLUMNS, found.calls)}
        ${pageLinks(PATH, texts, found)}`;
      },
    });
  });

  addPage<{ id: string }>(pages, context, '/calls/:id', async ({ params }) => {
    await context.calls.flush();
    const call = await findCall(context.database, checkedId(params.id));
    return {
      title: `${call.method} ${call.path}`,
      section: PATH,
      content: html`${definitions([
          ['Status', statusBadge(call.status)],
          ['Date (UTC)', instant(call.started_at)],
          ['Duration', `${call.finished_at.getTime() - call.started_at.getTime()} ms`],
          ['Operation', call.operation],
          [
            'Resource address',
            html`<span class="code">${context.links.origin()}${resourceAddress(call)}</span>`,
          ],
          ['Transaction id', call.transaction_id === null ? null : transactionLink(call.transaction_id)],
          ['Application', call.client_id === null ? null : applicationLink(call.client_id)],
          ['Environment', call.environment],
          ['Sandbox account', call.account_id === null ? null : accountLink(call.account_id)],
          ['Request id', call.request_id],
          ['Debug id', call.id],
          ['Fault', call.fault === null ? null : badge('caution', call.fault)],
        ])}
        <p class="muted">Secrets and personal data were removed before the call was stored.</p>
        <div class="columns">
          ${half('Request', call.request_headers, call.request_body, call.request_body_note)}
          ${half('Response', call.response_headers, call.response_body, call.response_body_note)}
        </div>`,
    };
  });
}

export const CALL_COLUMNS: readonly Column<ListedCall>[] = [
  { name: 'Date', kind: 'instant', cell: (call) => instant(call.started_at) },
  { name: 'Status', kind: 'short', cell: (call) => statusBadge(call.status) },
  {
    name: 'Resource address',
    kind: 'wide',
    cell: (call) =>
      html`<a class="code" href="${PATH}/${call.id}">${call.method} ${resourceAddress(call)}</a>`,
  },
  {
    name: 'Transaction',
    kind: 'id',
    cell: (call) => (call.transaction_id === null ? '' : transactionLink(call.transaction_id)),
  },
  {
    name: 'Application',
    kind: 'id',
    cell: (call) =>
      call.client_id === null ? '' : link(address(PATH, { clientId: call.client_id }), call.client_id),
  },
  { name: 'Environment', kind: 'short', cell: (call) => call.environment ?? '' },
  { name: 'Account', kind: 'id', cell: (call) => call.account_id ?? '' },
  {
    name: 'Duration',
    kind: 'number',
    cell: (call) => `${call.finished_at.getTime() - call.started_at.getTime()} ms`,
  },
  { name: 'Fault', kind: 'short', cell: (call) => (call.fault === null ? '' : badge('caution', call.fault)) },
];

function resourceAddress({ path, query }: ListedCall): string {
  return query === '' ? path : `${path}?${query}`;
}

function inFlight({ calls }: SandboxContext, clientId: string | undefined): Html {
  const running = callsInFlight(calls, clientId).slice(0, ROWS_OF_A_PAGE);
  if (running.length === 0) return html``;
  return html`${table(
      'Calls under way',
      [
        { name: 'Since', kind: 'instant', cell: ({ startedAt }) => instant(new Date(startedAt)) },
        { name: 'Resource address', kind: 'wide', cell: ({ method, path }) => `${method} ${path}` },
        { name: 'Application', kind: 'id', cell: (call) => call.clientId ?? '' },
        {
          name: 'Fault',
          kind: 'short',
          cell: ({ fault }) => (fault === null ? '' : badge('caution', fault)),
        },
      ],
      running,
    )} <br />`;
}

function half(
  name: 'Request' | 'Response',
  headers: Record<string, string> | null,
  body: string | null,
  note: string | null,
): Html {
  const columns = [
    { name: 'Name', kind: 'id', cell: ([header]: [string, string]) => html`<code>${header}</code>` },
    { name: 'Value', kind: 'wide', cell: ([, value]: [string, string]) => html`<code>${value}</code>` },
  ] as const;
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${name}</h2>
    ${table(`${name} headers`, columns, Object.entries(headers ?? {}))}
    <h3>${name} body</h3>
    ${note === null ? '' : html`<p class="muted">${note}</p>`}
    ${body === null ? html`<p class="muted">${note === null ? 'None was sent.' : ''}</p>` : document(body)}
  </section>`;
}

async function filterFields(context: SandboxContext): Promise<FilterField[]> {
  const [applications, accounts] = await Promise.all([
    applicationChoices(context.database),
    accountChoices(context.database),
  ]);
  return [
    {
      name: 'text',
      label: 'Address or transaction id',
      hint: 'A part of the address, or the whole id',
      isLong: true,
    },
    { name: 'status', label: 'Status', hint: 'Like 404 or 4xx', choices: STATUSES },
    applicationField(applications),
    ENVIRONMENT_FIELD,
    { name: 'accountId', label: 'Sandbox account', type: 'select', choices: accounts },
    ...PERIOD_FIELDS,
  ];
}

const STATUSES = [
  ['2xx', 'answered'],
  ['4xx', 'refused'],
  ['5xx', 'failed'],
] as const;
