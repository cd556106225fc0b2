import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { html, type Html } from '../pages/html.js';
import { address, badge, instant, link, table, type Column } from './elements.js';
import { addPage } from './pages.js';
import { IS_FAILING } from './search-events.js';
import { accountLink, applicationLink } from './subject-links.js';

const MOST_APPLICATIONS = 200;

/** What the service offers, and its applications, accounts and environments. */
export function addOverviewPage(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/', async () => {
    const [applications, counts] = await Promise.all([applicationsOf(context), countsOf(context)]);
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
        <h2>Now</h2>
        <ul class="links">
          ${counts.map(({ path, count, one, many, isTrouble }) => {
            const text = `${count} ${count === 1 ? one : many}`;
            return html`<li>
              ${link(path, text)} ${isTrouble && count > 0 ? badge('caution', 'look') : ''}
            </li>`;
          })}
        </ul>
        <p class="muted">
          A day lasts ${String(context.defaults.dayLengthMs / 1000)} s unless an application says otherwise.
        </p>
        <h2>Applications</h2>
        ${table('Applications by environment; times are UTC', COLUMNS, applications)}`,
    };
  });
}

const CARDS = [
  ['/dashboard/transactions', 'Transactions', 'Payments and their parts, found by id or reference.'],
  ['/dashboard/calls', 'API call history', 'Every call with its request, answer and headers.'],
  ['/dashboard/events', 'Webhook events', 'Search, payloads, deliveries and their attempts, resending.'],
  ['/dashboard/webhooks', 'Webhooks', 'Which events are delivered, and where.'],
  ['/dashboard/faults', 'Faults', 'Make calls and deliveries fail on purpose.'],
  ['/dashboard/books', 'Books', 'All movements of money, checked against every state.'],
] as const;

/** Each leads to a list of exactly what it counts. */
async function countsOf({ database, faults, calls }: SandboxContext) {
  const [{ payments, failing }, switchedOn] = await Promise.all([
    database
      .selectNoFrom((count) => [
        count
          .selectFrom('payments')
          .select(({ fn }) => fn.countAll<number>().as('all'))
          .as('payments'),
        count
          .selectFrom('events')
          .select(({ fn }) => fn.countAll<number>().as('all'))
          .where('id', 'in', (event) => event.selectFrom('deliveries').select('event_id').where(IS_FAILING))
          .as('failing'),
      ])
      .executeTakeFirstOrThrow(),
    faults.list(),
  ]);
  const on = switchedOn.filter(({ remaining }) => remaining !== 0).length;
  const inFlight = calls.inFlight().length;
  return [
    { path: '/dashboard/transactions?kind=payment', count: payments ?? 0, one: 'payment', many: 'payments' },
    {
      path: '/dashboard/events?deliveries=failing',
      count: failing ?? 0,
      one: 'event with a failing delivery',
      many: 'events with failing deliveries',
      isTrouble: true,
    },
    { path: '/dashboard/faults', count: on, one: 'fault is on', many: 'faults are on', isTrouble: true },
    { path: '/dashboard/calls', count: inFlight, one: 'call is in flight', many: 'calls are in flight' },
  ];
}

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
    kind: 'short',
    cell: ({ environment }) => badge(environment === 'live' ? 'caution' : 'plain', environment),
  },
  { name: 'Client id', kind: 'id', cell: ({ client_id }) => applicationLink(client_id) },
  { name: 'Name', kind: 'wide', cell: ({ name }) => name },
  { name: 'App id', kind: 'id', cell: ({ app_id }) => app_id },
  { name: 'Account', kind: 'id', cell: ({ account_id }) => accountLink(account_id) },
  {
    name: 'Webhooks',
    kind: 'number',
    cell: ({ client_id, webhooks }) =>
      html`<a
        href="${address('/dashboard/webhooks', { clientId: client_id })}"
        aria-label="${String(webhooks ?? 0)} webhooks of ${client_id}"
        >${String(webhooks ?? 0)}</a
      >`,
  },
  { name: 'History', kind: 'wide', cell: ({ client_id }) => histories(client_id) },
  { name: 'Since', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
];

function histories(clientId: string): Html {
  return html`${(['Transactions', 'Calls', 'Events'] as const).map(
    (name) =>
      html`<a
        href="${address(`/dashboard/${name.toLowerCase()}`, { clientId })}"
        aria-label="${name} of ${clientId}"
        >${name}</a
      > `,
  )}`;
}
