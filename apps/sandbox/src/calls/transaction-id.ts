import { IDENTIFIER } from '../http/identifiers.js';

/** Resources of the interface that are, or create, a transaction: their name in a path. */
const IN_PATH =
  /^\/v1\/payments\/(?:payment|authorization|capture|sale|refund|billing-plans|billing-agreements|payouts|payouts-item)\/([A-Za-z0-9-]{1,64})(?:\/|$)/;

/**
 * The transaction that a call is about (interface, section 1): what its answer describes, otherwise what its path
 * names. So the capture of an authorization is found by the capture, and by the authorization through its address.
 * @param answer the body as parsed, whatever it is.
 */
export function transactionIdOf(path: string, answer: unknown): string | null {
  if (!path.startsWith('/v1/payments/')) return null;
  return idIn(answer) ?? IN_PATH.exec(path)?.[1] ?? null;
}

function idIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const header = 'batch_header' in answer ? answer.batch_header : undefined;
  const batchId = field(header, 'payout_batch_id');
  return field(answer, 'id') ?? batchId ?? field(answer, 'payout_item_id');
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const id = (value as Record<string, unknown>)[name];
  return typeof id === 'string' && IDENTIFIER.test(id) ? id : undefined;
}
