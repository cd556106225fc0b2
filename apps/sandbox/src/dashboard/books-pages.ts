import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { checkBooks } from '../books/check-books.js';
import { findCallsAbout } from '../calls/find-calls.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import { checkedId } from '../http/validation.js';
import { writeAmount } from '../money/amount.js';
import { html } from '../pages/html.js';
import { CALL_COLUMNS } from './call-pages.js';
import { badge, instant, table, type Column } from './elements.js';
import { EVENT_COLUMNS } from './event-pages.js';
import { findMovements, latestMovements, type MovementRow } from './find-movements.js';
import { addPage } from './pages.js';
import { searchEvents } from './search-events.js';
import { transactionLink } from './transaction-link.js';

const PATH = '/dashboard/books';
const MOST_ROWS = 50;

/** The movements of money: all, and of one transaction. */
export function addBooksPages(pages: FastifyInstance, context: SandboxContext): void {
  addPage(pages, context, '/books', async () => {
    const violations = await checkBooks(context.database);
    return {
      title: 'Books',
      section: PATH,
      content: html`<p>
          ${
            violations.length === 0
              ? badge('good', 'The books are correct')
              : badge('bad', `${violations.length} violations`)
          }
          Every movement was checked against the states just now.
        </p>
        ${
          violations.length === 0
            ? ''
            : table(
                'Violations',
                [
                  { name: 'Rule', cell: ({ rule }) => rule },
                  { name: 'Subject', cell: ({ subject }) => html`<code>${subject}</code>` },
                ],
                violations,
              )
        }
        <h2>Latest movements</h2>
        ${table('Movements of money, newest first; times are UTC', MOVEMENTS, await latestMovements(context.database, MOST_ROWS))}`,
    };
  });

  addPage<{ id: string }>(pages, context, '/transactions/:id', async ({ params }) => {
    const id = checkedId(params.id);
    await context.calls.flush();
    const { movements, calls, events } = await ofTransaction(context.database, id);
    return {
      title: `Transaction ${id}`,
      section: PATH,
      content: html`<h2>Money</h2>
        ${table('Movements of money in the order of booking; times are UTC', MOVEMENTS, movements)}
        <h2>Calls</h2>
        ${table('Latest calls about it; times are UTC', CALL_COLUMNS, calls)}
        <h2>Events</h2>
        ${table('Latest events about it; times are UTC', EVENT_COLUMNS, events)}`,
    };
  });
}

/** A page about a payment is also about its authorizations, captures, sales and refunds. */
async function ofTransaction(database: Kysely<Tables>, id: string) {
  const movements = await findMovements(database, id, MOST_ROWS);
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
  return { movements, calls, events };
}

const MOVEMENTS: readonly Column<MovementRow>[] = [
  { name: 'Entry', kind: 'number', cell: ({ id }) => String(id) },
  { name: 'Date', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
  { name: 'Kind', cell: ({ kind }) => kind },
  {
    name: 'Amount',
    kind: 'number',
    cell: ({ amount_minor, currency }) => `${writeAmount(amount_minor, currency)} ${currency}`,
  },
  { name: 'From', cell: ({ from_account }) => html`<code>${from_account ?? ''}</code>` },
  { name: 'To', cell: ({ to_account }) => html`<code>${to_account ?? ''}</code>` },
  {
    name: 'Of',
    cell: (row) => {
      const id = row.payment_id ?? row.agreement_id ?? row.payout_item_id;
      return id === null ? '' : transactionLink(id);
    },
  },
  { name: 'Application', cell: ({ client_id }) => client_id },
  { name: 'Invoice number', kind: 'wide', cell: ({ invoice_number }) => invoice_number ?? '' },
];
