import type { WebhookEventRow } from '#database/schema';
import { type listResends, waits } from '#database/events';
import { paymentIdPattern } from '../wire/ids.js';
import type { WebhookEventAnswer, WebhookEventListAnswer } from './webhook-event-answers.js';

/** An event in a list, made of its row alone. */
export function viewListedEvent(row: WebhookEventRow): WebhookEventListAnswer['data'][number] {
  const { kind, id, state } = row.resource;
  return {
    id: row.event_id,
    type: row.event_type,
    state: row.status,
    detail: row.detail,
    subjectId: row.subject_id,
    paymentId: row.subject_id !== null && paymentIdPattern.test(row.subject_id) ? row.subject_id : null,
    resource: { kind, id, state },
    source: row.source,
    deliveries: row.deliveries,
    contradictions: row.contradictions,
    receivedAt: row.received_at.toISOString(),
    stateAt: row.status_at.toISOString(),
    waitingSince: waits(row.status) ? row.received_at.toISOString() : null,
  };
}

export function viewEvent(
  row: WebhookEventRow,
  resends: Awaited<ReturnType<typeof listResends>>,
): WebhookEventAnswer {
  return {
    ...viewListedEvent(row),
    history: [
      { state: 'received', at: row.received_at.toISOString(), detail: null },
      ...row.history.map(({ status, at, detail }) => ({
        state: status,
        at: new Date(at).toISOString(),
        detail: detail ?? null,
      })),
    ],
    resends: resends.map(({ requested_by, requested_at, status_before }) => ({
      requestedBy: requested_by,
      at: requested_at.toISOString(),
      stateBefore: status_before,
    })),
    payload: row.payload,
  };
}
