import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { html } from '../pages/html.js';
import { address, badge, instant, link, table, type Column } from './elements.js';
import { addPage } from './pages.js';

const MOST_APPLICATIONS = 200;

/** What the service offers, and its applications, accounts and environments. */
export function addOverviewPage(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/', async () => {
    const [applications, faults] = await Promise.all([applicationsOf(context), context.faults.list()]);
    const on = faults.filter(({ remaining }) => remaining !== 0).length;
    return {
      title: 'Overview',
      section: '/dashboard',
      content: html`<ul class="cards">
          ${CARDS.map(
            ([path, name, text]) =>
              html`<li>
                ${link(path, name)}
                <p>${text}</p>
              </li>`,
          )}
        </ul>
        <p>
          ${on === 0 ? badge('good', 'No fault is on') : badge('caution', `${on} ${on === 1 ? 'fault is' : 'faults are'} on`)}
          ${context.calls.inFlight().length === 1 ? '1 call is' : `${context.calls.inFlight().length} calls are`}
          in flight. A day lasts ${String(context.defaults.dayLengthMs / 1000)} s unless an application says
          otherwise.
        </p>
        <h2>Applications</h2>
        ${table('Applications by environment; times are UTC', COLUMNS, applications)}`,
    };
  });
}

const CARDS = [
  ['/dashboard/calls', 'API call history', 'Every call with its request, answer and headers.'],
  ['/dashboard/events', 'Webhook events', 'Search, payloads, deliveries and their attempts, resending.'],
  ['/dashboard/webhooks', 'Webhooks', 'Which events are delivered, and where.'],
  ['/dashboard/faults', 'Faults', 'Make calls and deliveries fail on purpose.'],
  ['/dashboard/books', 'Books', 'All movements of money, checked against every state.'],
] as const;

function applicationsOf({ database }: SandboxContext) {
  return database
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select(['client_id', 'name', 'app_id', 'account_id', 'environment', 'applications.created_at'])
    .select((application) =>
      application
        .selectFrom('webhooks')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('webhooks.client_id', '=', 'applications.client_id')
        .as('webhooks'),
    )
    .orderBy('environment', 'desc')
    .orderBy('applications.created_at')
    .limit(MOST_APPLICATIONS)
    .execute();
}

type ApplicationRow = Awaited<ReturnType<typeof applicationsOf>>[number];

const COLUMNS: readonly Column<ApplicationRow>[] = [
  {
    name: 'Environment',
    cell: ({ environment }) => badge(environment === 'live' ? 'caution' : 'plain', environment),
  },
  { name: 'Client id', kind: 'wide', cell: ({ client_id }) => html`<code>${client_id}</code>` },
  { name: 'Name', kind: 'wide', cell: ({ name }) => name },
  { name: 'App id', kind: 'whole', cell: ({ app_id }) => app_id },
  { name: 'Account', cell: ({ account_id }) => account_id },
  {
    name: 'Webhooks',
    kind: 'number',
    cell: ({ client_id, webhooks }) =>
      html`<a
        href="${address('/dashboard/webhooks', { clientId: client_id })}"
        aria-label="Webhooks of ${client_id}"
        >${String(webhooks ?? 0)}</a
      >`,
  },
  {
    name: 'History',
    kind: 'whole',
    cell: ({ client_id }) =>
      html`<a
          href="${address('/dashboard/calls', { clientId: client_id })}"
          aria-label="Calls of ${client_id}"
          >Calls</a
        >
        <a href="${address('/dashboard/events', { clientId: client_id })}" aria-label="Events of ${client_id}"
          >Events</a
        >`,
  },
  { name: 'Since', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
];
