import type { Transaction } from 'kysely';
import type { CaptureRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeCapture } from './capture-representation.js';

const EVENT_OF_STATE = {
  pending: 'PAYMENT.CAPTURE.PENDING',
  completed: 'PAYMENT.CAPTURE.COMPLETED',
  denied: 'PAYMENT.CAPTURE.DENIED',
} as const;

export function tellCapture(
  transaction: Transaction<Tables>,
  capture: CaptureRow,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: EVENT_OF_STATE[capture.state],
    clientId: capture.client_id,
    resourceId: capture.id,
    resource: describeCapture(capture, links),
    now,
  });
}
