/** Rules about payouts; each rule is a query that finds its violations. */
export const PAYOUT_RULES: Readonly<Record<string, string>> = {
  'a payout item is paid once when its batch is funded, and comes back once when its receiver does not keep it': `
    SELECT id AS subject FROM (
      SELECT item.id, item.amount_minor,
        item.refused_as IS NULL AND batch.outcome <> 'unfunded'
          AND batch.status IN ('PROCESSING', 'SUCCESS', 'DENIED') AS leaves,
        item.status IN ('FAILED', 'RETURNED', 'BLOCKED', 'REFUNDED', 'REVERSED') AS comes_back,
        count(*) FILTER (WHERE kind = 'payout') AS paid,
        coalesce(sum(entry.amount_minor) FILTER (WHERE kind = 'payout'), 0) AS paid_minor,
        count(*) FILTER (WHERE kind = 'payout_return') AS returned,
        coalesce(sum(entry.amount_minor) FILTER (WHERE kind = 'payout_return'), 0) AS returned_minor
      FROM payout_items AS item JOIN payout_batches AS batch ON batch.id = item.batch_id
      LEFT JOIN book_entries AS entry ON entry.payout_item_id = item.id
      GROUP BY item.id, batch.id) AS item
    WHERE paid <> leaves::integer OR paid_minor <> leaves::integer * amount_minor
      OR returned <> (leaves AND comes_back)::integer
      OR returned_minor <> (leaves AND comes_back)::integer * amount_minor`,
  'a payout moves the money of an item': `
    SELECT entry.id::text AS subject FROM book_entries AS entry
    LEFT JOIN payout_items AS item ON item.id = entry.payout_item_id
    WHERE kind IN ('payout', 'payout_return') AND item.id IS NULL`,
  'a payout batch is the sum of its items, and has ended only with all of them': `
    SELECT batch.id AS subject FROM payout_batches AS batch
    LEFT JOIN payout_items AS item ON item.batch_id = batch.id
    GROUP BY batch.id
    HAVING count(item) <> item_count OR coalesce(sum(item.amount_minor), 0) <> batch.amount_minor
      OR (batch.status IN ('SUCCESS', 'DENIED', 'CANCELED') AND count(item) <> count(item.processed_at))`,
};
