import type { FastifyInstance } from 'fastify';
import { checkBooks } from '../books/check-books.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { writeAmount } from '../money/amount.js';
import { html } from '../pages/html.js';
import { badge, instant, table, type Column } from './elements.js';
import { latestMovements, type MovementRow } from './find-movements.js';
import { addPage } from './pages.js';
import { applicationLink, transactionLink } from './subject-links.js';

const PATH = '/dashboard/books';
const MOST_ROWS = 50;

/** The movements of money, and whether the books are correct. */
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
                  { name: 'Rule', kind: 'wide', cell: ({ rule }) => rule },
                  { name: 'Subject', kind: 'id', cell: ({ subject }) => html`<code>${subject}</code>` },
                ],
                violations,
              )
        }
        <h2>Latest movements</h2>
        ${table('Movements of money, newest first; times are UTC', MOVEMENT_COLUMNS, await latestMovements(context.database, MOST_ROWS))}`,
    };
  });
}

export const MOVEMENT_COLUMNS: readonly Column<MovementRow>[] = [
  { name: 'Entry', kind: 'number', cell: ({ id }) => String(id) },
  { name: 'Date', kind: 'instant', cell: ({ created_at }) => instant(created_at) },
  { name: 'Kind', kind: 'short', cell: ({ kind }) => kind },
  {
    name: 'Amount',
    kind: 'number',
    cell: ({ amount_minor, currency }) => `${writeAmount(amount_minor, currency)} ${currency}`,
  },
  { name: 'From', kind: 'id', cell: ({ from_account }) => html`<code>${from_account ?? ''}</code>` },
  { name: 'To', kind: 'id', cell: ({ to_account }) => html`<code>${to_account ?? ''}</code>` },
  {
    name: 'Of',
    kind: 'id',
    cell: (row) => {
      const id = row.payment_id ?? row.agreement_id ?? row.payout_item_id;
      return id === null ? '' : transactionLink(id);
    },
  },
  { name: 'Application', kind: 'id', cell: ({ client_id }) => applicationLink(client_id) },
  { name: 'Invoice number', kind: 'wide', cell: ({ invoice_number }) => invoice_number ?? '' },
];
