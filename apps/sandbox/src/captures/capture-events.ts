import type { Transaction } from 'kysely';
import type { CaptureRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeCapture } from './capture-representation.js';

const EVENT_OF_TRANSITION = {
  pending: 'PAYMENT.CAPTURE.PENDING',
  completed: 'PAYMENT.CAPTURE.COMPLETED',
  denied: 'PAYMENT.CAPTURE.DENIED',
  reversed: 'PAYMENT.CAPTURE.REVERSED',
} as const;

/** Records the event of a capture's change; its resource is the capture in its present state. */
export function recordCaptureEvent(
  transaction: Transaction<Tables>,
  capture: CaptureRow,
  transition: keyof typeof EVENT_OF_TRANSITION,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: EVENT_OF_TRANSITION[transition],
    clientId: capture.client_id,
    resourceId: capture.id,
    resource: describeCapture(capture, links),
    now,
  });
}
