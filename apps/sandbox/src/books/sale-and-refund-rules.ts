/** Rules about what was collected and refunded; each rule is a query that finds its violations. */
export const SALE_AND_REFUND_RULES: Readonly<Record<string, string>> = {
  'a completed sale is booked once, another one never': `
    SELECT sales.id AS subject FROM sales
    LEFT JOIN book_entries AS entry ON entry.sale_id = sales.id AND entry.kind = 'sale'
    GROUP BY sales.id
    HAVING count(entry) <> (state NOT IN ('pending', 'denied'))::integer
      OR max(entry.amount_minor) <> sales.amount_minor OR max(entry.currency) <> sales.currency`,
  'a completed capture is booked once, another one never': `
    SELECT captures.id AS subject FROM captures
    LEFT JOIN book_entries AS entry ON entry.capture_id = captures.id AND entry.kind = 'capture'
    GROUP BY captures.id
    HAVING count(entry) <> (state NOT IN ('pending', 'denied'))::integer
      OR max(entry.amount_minor) <> captures.amount_minor`,
  'a completed refund is booked once, another one never': `
    SELECT refunds.id AS subject FROM refunds
    LEFT JOIN book_entries AS entry ON entry.refund_id = refunds.id AND entry.kind = 'refund'
    GROUP BY refunds.id
    HAVING count(entry) <> (state = 'completed')::integer
      OR max(entry.amount_minor) <> refunds.amount_minor OR max(entry.currency) <> refunds.currency
      OR max(entry.sale_id) <> refunds.sale_id OR max(entry.capture_id) <> refunds.capture_id`,
  'money goes back only by a refund or a reversal of a sale or a capture': `
    SELECT entry.id::text AS subject FROM book_entries AS entry
    LEFT JOIN refunds ON refunds.id = entry.refund_id
    WHERE (kind = 'refund' AND refunds.id IS NULL)
      OR (kind = 'reversal' AND num_nonnulls(entry.sale_id, entry.capture_id) <> 1)`,
  'no more goes back than was collected': `
    SELECT coalesce(sale_id, capture_id) AS subject FROM book_entries
    WHERE kind IN ('sale', 'capture', 'refund', 'reversal')
    GROUP BY coalesce(sale_id, capture_id)
    HAVING sum(CASE WHEN kind IN ('sale', 'capture') THEN amount_minor ELSE -amount_minor END) < 0`,
  'a sale or a capture agrees with its refunds and reversals': `
    WITH collected AS (
      SELECT id, state, amount_minor, refunded_minor, refund_pending_minor, reversed_minor FROM sales
      UNION ALL
      SELECT id, state, amount_minor, refunded_minor, refund_pending_minor, reversed_minor FROM captures),
    refunded AS (
      SELECT coalesce(sale_id, capture_id) AS id,
        sum(amount_minor) FILTER (WHERE state = 'completed') AS completed,
        sum(amount_minor) FILTER (WHERE state = 'pending') AS pending
      FROM refunds GROUP BY coalesce(sale_id, capture_id)),
    reversed AS (
      SELECT coalesce(sale_id, capture_id) AS id, sum(amount_minor) AS minor FROM book_entries
      WHERE kind = 'reversal' GROUP BY coalesce(sale_id, capture_id))
    SELECT collected.id AS subject FROM collected
    LEFT JOIN refunded ON refunded.id = collected.id
    LEFT JOIN reversed ON reversed.id = collected.id
    WHERE refunded_minor <> coalesce(refunded.completed, 0)
      OR refund_pending_minor <> coalesce(refunded.pending, 0)
      OR reversed_minor <> coalesce(reversed.minor, 0)
      OR state <> CASE
        WHEN state IN ('pending', 'denied') THEN state
        WHEN refunded_minor + reversed_minor = 0 THEN 'completed'
        WHEN refunded_minor + reversed_minor = amount_minor THEN 'refunded'
        ELSE 'partially_refunded' END`,
};
