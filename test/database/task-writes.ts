import type { Transition } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import type { TimelineEntry } from '#workflows/lifecycle';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { transition, withOwnIds } from './engine-database.js';

/** When two workflow tasks of one run began. */
export const earlierTask = Date.parse('2026-01-01T12:00:00Z');
export const laterTask = earlierTask + 10_000;

/** @param from where its writer knows the payment to stand. */
export function going(
  identity: PaymentIdentity,
  from: PaymentStatus,
  to: PaymentStatus,
  version: number,
  besides: Partial<Transition<PaymentState>> = {},
): Transition<PaymentState> {
  const state = withOwnIds(payment(to), identity);
  return { ...transition(identity, state, version), knownStatus: from, ...besides };
}

export function entry(event: string, version: number): TimelineEntry {
  return { version, event, kind: 'moved', from: 'awaiting_approval', to: 'authorizing', at: laterTask };
}
