import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { findCallsAbout } from '../calls/find-calls.js';
import { Redaction } from '../calls/redaction.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import { checkedId } from '../http/validation.js';
import { writeAmount } from '../money/amount.js';
import { html, type Html } from '../pages/html.js';
import { MOVEMENT_COLUMNS } from './books-pages.js';
import { CALL_COLUMNS } from './call-pages.js';
import { accountChoices, applicationChoices } from './choices.js';
import { address, badge, instant, link, pageLinks, table, type Column } from './elements.js';
import { EVENT_COLUMNS } from './event-pages.js';
import { applicationField, ENVIRONMENT_FIELD, PERIOD_FIELDS, type FilterField } from './filter-form.js';
import { filteredPage } from './filtered-page.js';
import { findMovements } from './find-movements.js';
import { addPage } from './pages.js';
import { searchEvents } from './search-events.js';
import {
  partsOf,
  searchTransactions,
  transactionFilters,
  type FoundTransaction,
} from './search-transactions.js';
import { applicationLink } from './subject-links.js';
import { addressOf, KINDS } from './transaction-sources.js';

const PATH = '/dashboard/transactions';
const MOST_ROWS = 50;

/** Payments and all else that has an id: searched, and one by one. */
export function addTransactionPages(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/transactions', async ({ query }) => {
    await context.calls.flush();
    return await filteredPage({
      title: 'Transactions',
      section: PATH,
      query,
      schema: transactionFilters,
      fields: await filterFields(context.database),
      list: async (values, texts) => {
        const found = await searchTransactions(context.database, values, MOST_ROWS);
        return html`${table('Newest first; times are UTC', COLUMNS, found.transactions)}
        ${pageLinks(PATH, texts, found)}`;
      },
    });
  });

  addPage<{ id: string }>(pages, context, '/transactions/:id', async ({ params }) => {
    const id = checkedId(params.id);
    await context.calls.flush();
    const { parts, movements, calls, events } = await ofTransaction(context.database, id);
    return {
      title: `Transaction ${id}`,
      section: PATH,
      content: html`${aimedFault(parts, id)}
        ${table('It and what belongs to it, in the order of time; times are UTC', COLUMNS, parts)}
        <h2>Money</h2>
        ${table('Movements of money in the order of booking; times are UTC', MOVEMENT_COLUMNS, movements)}
        <h2>Calls</h2>
        ${table('Latest calls about it; times are UTC', CALL_COLUMNS, calls)}
        <h2>Events</h2>
        ${table('Latest events about it; times are UTC', EVENT_COLUMNS, events)}`,
    };
  });
}

/** A page about a payment is also about its authorizations, captures, sales and refunds. */
async function ofTransaction(database: Kysely<Tables>, id: string) {
  const [parts, movements] = await Promise.all([
    partsOf(database, id, MOST_ROWS),
    findMovements(database, id, MOST_ROWS),
  ]);
  const related = movements.flatMap((movement) => [
    movement.payment_id,
    movement.authorization_id,
    movement.capture_id,
    movement.sale_id,
    movement.refund_id,
    movement.agreement_id,
    movement.payout_item_id,
  ]);
  const ids = [...new Set([id, ...related.filter((one) => one !== null)])];
  const [calls, { events }] = await Promise.all([
    findCallsAbout(database, ids, MOST_ROWS),
    searchEvents(database, { transactionId: id }, MOST_ROWS),
  ]);
  return { parts, movements, calls, events };
}

function aimedFault(parts: readonly FoundTransaction[], id: string): Html {
  if (!parts.some((part) => part.kind === 'payment' && part.id === id)) return html``;
  const faults = `${address('/dashboard/faults', { paymentId: id })}#new`;
  return html`<p>${link(faults, 'Aim a fault at this payment')}</p>`;
}

const COLUMNS: readonly Column<FoundTransaction>[] = [
  { name: 'Date', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
  { name: 'Kind', kind: 'short', cell: ({ kind }) => kind },
  {
    name: 'Id',
    kind: 'id',
    cell: ({ kind, id }) => html`<a class="code" href="${addressOf(kind, id)}">${id}</a>`,
  },
  { name: 'State', kind: 'wide', cell: ({ state }) => (state === null ? '' : badge('plain', state)) },
  {
    name: 'Amount',
    kind: 'number',
    cell: ({ amount_minor: minor, currency }) =>
      minor === null || currency === null ? '' : `${writeAmount(minor, currency)} ${currency}`,
  },
  { name: 'References', kind: 'wide', cell: references },
  {
    name: 'Application',
    kind: 'id',
    cell: ({ client_id }) => (client_id === null ? '' : applicationLink(client_id)),
  },
];

/** Others chose these texts: what looks like personal data is not shown. */
function references({ invoice_number, custom, sender_reference }: FoundTransaction): Html {
  const named = [
    ['invoice number', invoice_number],
    ['custom', custom],
    ['sender’s reference', sender_reference],
  ] as const;
  const redaction = new Redaction([]);
  return html`${named.flatMap(([name, text]) =>
    text === null
      ? []
      : [
          html`<div>
            <span class="muted">${name}</span> <span class="code">${redaction.text(text)}</span>
          </div>`,
        ],
  )}`;
}

async function filterFields(database: Kysely<Tables>): Promise<FilterField[]> {
  const [applications, accounts] = await Promise.all([
    applicationChoices(database),
    accountChoices(database),
  ]);
  return [
    {
      name: 'text',
      label: 'Id, invoice number or custom',
      hint: 'Any whole id, or a part of a reference',
      isLong: true,
    },
    { name: 'kind', label: 'Kind', type: 'select', choices: KINDS.map((kind) => [kind, kind] as const) },
    applicationField(applications),
    { name: 'accountId', label: 'Sandbox account', type: 'select', choices: accounts },
    ENVIRONMENT_FIELD,
    ...PERIOD_FIELDS,
  ];
}
