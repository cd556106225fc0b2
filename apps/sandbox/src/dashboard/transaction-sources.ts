/** Where something that has an id is stored: names of columns, never a caller's text. */
interface Source {
  table: string;
  /** Default: `id`. */
  id?: string;
  /** Default: `client_id`. */
  client?: string;
  state?: string;
  /** It has an amount and a currency. */
  amount?: true;
  invoice?: string;
  custom?: string;
  sender?: string;
  /** Columns with ids by which it is found, its own among them. */
  ids: readonly string[];
  /** A query, up to its last comparison, for the ids of those that an id in another table names. */
  by?: string;
  /** Also without a search: what moves money, or leads to it. */
  isListed: boolean;
}

export const KINDS = [
  'payment',
  'authorization',
  'capture',
  'sale',
  'refund',
  'agreement',
  'plan',
  'payout',
  'payout item',
  'event',
  'webhook',
  'call',
  'fault',
  'application',
  'account',
] as const;

export type Kind = (typeof KINDS)[number];

const references = { invoice: 'invoice_number', custom: 'custom' };
const money = { state: 'state', amount: true, isListed: true } as const;

export const SOURCES: Readonly<Record<Kind, Source>> = {
  payment: { table: 'payments', ...money, ...references, ids: ['id'] },
  authorization: { table: 'authorizations', ...money, ids: ['id', 'payment_id', 'parent_id'] },
  capture: {
    table: 'captures',
    ...money,
    invoice: 'invoice_number',
    ids: ['id', 'payment_id', 'authorization_id', 'request_id'],
  },
  sale: {
    table: 'sales',
    ...money,
    ...references,
    ids: ['id', 'payment_id', 'billing_agreement_id', 'request_id'],
  },
  refund: {
    table: 'refunds',
    ...money,
    ...references,
    ids: ['id', 'payment_id', 'sale_id', 'capture_id', 'request_id'],
  },
  agreement: { table: 'billing_agreements', state: 'state', ids: ['id', 'plan_id'], isListed: true },
  plan: { table: 'billing_plans', state: 'state', ids: ['id'], isListed: true },
  payout: {
    table: 'payout_batches',
    ...money,
    state: 'status',
    sender: 'sender_batch_id',
    ids: ['id', 'request_id'],
  },
  'payout item': {
    table: 'payout_items',
    ...money,
    state: 'status',
    sender: 'sender_item_id',
    ids: ['id', 'batch_id', 'transaction_id'],
  },
  event: {
    table: 'events',
    state: 'event_type',
    ids: ['id'],
    by: `SELECT event_id FROM deliveries JOIN delivery_attempts ON delivery_id = deliveries.id
      WHERE transmission_id`,
    isListed: false,
  },
  webhook: { table: 'webhooks', ids: ['id'], isListed: false },
  call: {
    table: '(SELECT *, started_at AS created_at FROM calls) AS calls',
    state: 'operation',
    ids: ['id', 'request_id'],
    isListed: false,
  },
  fault: { table: 'faults', state: 'kind', ids: ['id'], isListed: false },
  application: {
    table: 'applications',
    id: 'client_id',
    state: 'name',
    ids: ['client_id', 'app_id'],
    isListed: false,
  },
  account: { table: 'accounts', client: 'NULL', state: 'kind', ids: ['id'], isListed: false },
};

/** The page about it. */
export function addressOf(kind: Kind, id: string): string {
  const inPath = encodeURIComponent(id);
  const inQuery = new URLSearchParams({ clientId: id }).toString();
  switch (kind) {
    case 'event':
      return `/dashboard/events/${inPath}`;
    case 'webhook':
      return `/dashboard/webhooks/${inPath}`;
    case 'call':
      return `/dashboard/calls/${inPath}`;
    case 'fault':
      return '/dashboard/faults';
    case 'application':
      return `/dashboard/application?${inQuery}`;
    case 'account':
      return `/dashboard/transactions?accountId=${inPath}`;
    default:
      return `/dashboard/transactions/${inPath}`;
  }
}
