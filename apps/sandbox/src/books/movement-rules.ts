/** Rules about the accounts of a movement, and what it belongs to; each rule is a query that finds its violations. */
const PAYER_OF_PAYMENT = "'payer:' || coalesce(payments.payer_id, 'unknown')";
const HOLD = "'hold:' || authorizations.id";
const PAYMENT_OF_AUTHORIZATION = `
    LEFT JOIN authorizations ON authorizations.id = entry.authorization_id
    LEFT JOIN payments ON payments.id = authorizations.payment_id`;
const PAYMENT_OF_CAPTURE = `
    LEFT JOIN captures ON captures.id = entry.capture_id
    LEFT JOIN authorizations ON authorizations.id = captures.authorization_id
    LEFT JOIN payments ON payments.id = captures.payment_id`;
const SALE = 'LEFT JOIN sales ON sales.id = entry.sale_id';
const COLLECTED = `${SALE} ${PAYMENT_OF_CAPTURE}`;
const PAYOUT = `
    LEFT JOIN payout_items AS item ON item.id = entry.payout_item_id
    LEFT JOIN payout_batches AS batch ON batch.id = item.batch_id`;

/** What an entry moves. A refund is looked up with its sale or capture, because the entry names that too. */
const MOVED = `
    WITH moved AS (
      SELECT id, client_id, currency, payment_id, NULL AS agreement_id, id AS authorization_id FROM authorizations
      UNION ALL SELECT id, client_id, currency, payment_id, NULL, authorization_id FROM captures
      UNION ALL SELECT id, client_id, currency, payment_id, billing_agreement_id, NULL FROM sales
      UNION ALL
      SELECT refunds.id, refunds.client_id, refunds.currency, refunds.payment_id, billing_agreement_id, authorization_id
      FROM refunds LEFT JOIN sales ON sales.id = sale_id LEFT JOIN captures ON captures.id = capture_id
      UNION ALL SELECT id, client_id, currency, NULL, NULL, NULL FROM payout_items)
    SELECT entry.id::text AS subject FROM book_entries AS entry
    LEFT JOIN moved ON moved.id = CASE entry.kind
      WHEN 'hold' THEN entry.authorization_id
      WHEN 'release' THEN entry.authorization_id
      WHEN 'capture' THEN entry.capture_id
      WHEN 'sale' THEN entry.sale_id
      WHEN 'refund' THEN entry.refund_id
      WHEN 'reversal' THEN coalesce(entry.sale_id, entry.capture_id)
      ELSE entry.payout_item_id END`;

export const MOVEMENT_RULES: Readonly<Record<string, string>> = {
  'a hold goes from the payer to the hold of its authorization': between(
    ['hold'],
    PAYMENT_OF_AUTHORIZATION,
    PAYER_OF_PAYMENT,
    HOLD,
  ),
  'a release goes from the hold of its authorization back to the payer': between(
    ['release'],
    PAYMENT_OF_AUTHORIZATION,
    HOLD,
    PAYER_OF_PAYMENT,
  ),
  'a capture goes from the hold of its authorization to the payee': between(
    ['capture'],
    PAYMENT_OF_CAPTURE,
    HOLD,
    "'payee:' || payments.payee_id",
  ),
  'a sale goes from the payer to the payee': between(
    ['sale'],
    SALE,
    "'payer:' || coalesce(sales.payer_id, 'unknown')",
    "'payee:' || sales.payee_id",
  ),
  'a refund or a reversal goes from the payee back to the payer': between(
    ['refund', 'reversal'],
    COLLECTED,
    "'payee:' || coalesce(sales.payee_id, payments.payee_id)",
    "'payer:' || coalesce(sales.payer_id, payments.payer_id, 'unknown')",
  ),
  'a payout goes from the sender to the receiver': between(
    ['payout'],
    PAYOUT,
    "'payee:' || batch.sender_id",
    "'payee:' || item.receiver_id",
  ),
  'a payout comes back from the receiver to the sender': between(
    ['payout_return'],
    PAYOUT,
    "'payee:' || item.receiver_id",
    "'payee:' || batch.sender_id",
  ),
  'an entry is of the application of what it moves': `${MOVED}
    WHERE entry.client_id IS DISTINCT FROM moved.client_id`,
  'an entry is in the currency of what it moves': `${MOVED}
    WHERE entry.currency IS DISTINCT FROM moved.currency`,
  'an entry names the payment, the agreement and the authorization of what it moves': `${MOVED}
    WHERE entry.payment_id IS DISTINCT FROM moved.payment_id
      OR entry.agreement_id IS DISTINCT FROM moved.agreement_id
      OR entry.authorization_id IS DISTINCT FROM moved.authorization_id`,
};

/** Entries of these kinds whose money did not go from `source` to `target`, or that belong to nothing. */
function between(kinds: readonly string[], owner: string, source: string, target: string): string {
  return `
    SELECT entry.id::text AS subject FROM book_entries AS entry
    JOIN book_postings AS taken ON taken.entry_id = entry.id AND taken.amount_minor < 0
    JOIN book_postings AS given ON given.entry_id = entry.id AND given.amount_minor > 0
    ${owner}
    WHERE entry.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})
      AND (taken.account IS DISTINCT FROM ${source} OR given.account IS DISTINCT FROM ${target})`;
}
