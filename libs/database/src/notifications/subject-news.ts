import type { TimelineEntry } from '#workflows/lifecycle';
import type { Capture, PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import type { RefundState } from '#workflows/lifecycle/refund';
import type { CommandKind } from '../schema/schema.js';
import { type WrittenCommand, doubtNews, failedStep, failures, movesIn, when } from './news-of-lines.js';
import type { News, NotificationType } from './notification-types.js';

/**
 * The notifications that the lines of a write cause, one table for each kind of subject.
 *
 * Only what stays true has a notification (docs/decisions/0027): an end, and a part's final result, stay once their row is
 * committed; the other facts are things that the provider or the clock has shown. A lost workflow task is done again and
 * may show the same under another version, so a fact is named by what it is about: an authorization, an amount, a step.
 * There is one notification of it.
 */

/** Statuses that have one notification, whenever they are reached. */
const paymentStatusNews: Partial<Record<PaymentStatus, NotificationType>> = {
  awaiting_approval: 'payment.awaiting_approval',
  pending: 'payment.pending',
  captured: 'payment.captured',
  voided: 'payment.voided',
  completed: 'payment.completed',
  declined: 'payment.declined',
  cancelled: 'payment.cancelled',
  expired: 'payment.expired',
};

const beforeHold: ReadonlySet<string> = new Set<PaymentStatus>([
  'creating',
  'awaiting_approval',
  'authorizing',
  'needs_review',
]);
const holds: ReadonlySet<string> = new Set<PaymentStatus>(['authorized', 'capturing', 'partially_captured']);

/** A step that was not made, by the status during it. */
const failedSteps: Readonly<Record<string, NotificationType>> = {
  capturing: 'payment.capture_failed',
  voiding: 'payment.void_failed',
  reauthorizing: 'payment.reauthorization_failed',
};
/** The same of a step that was under review, by its command. */
const failedCommands: Partial<Record<CommandKind, NotificationType>> = {
  capture: 'payment.capture_failed',
  void: 'payment.void_failed',
  release: 'payment.void_failed',
  reauthorize: 'payment.reauthorization_failed',
};
const warnings: ReadonlySet<string> = new Set([
  'honourPeriodNearedEnd',
  'honourPeriodEnded',
  'captureWindowNearedEnd',
]);

/** @param commands as the write changes them. */
export function paymentNews(
  state: PaymentState,
  timeline: readonly TimelineEntry[],
  commands: readonly WrittenCommand[] = [],
): News[] {
  const { authorization, captures, openStep, reauthorizations, stepsBegun } = state;
  const hold = authorization?.authorizationId;
  // The provider may keep the id of a hold that is reauthorized; its warnings come again.
  const period = `${hold}:${reauthorizations?.earlier.length ?? 0}`;
  const moves = movesIn(timeline);
  return moves.flatMap((line): News[] => {
    const { from, to, event } = line;
    const isNew = from !== to;
    // Beside a pending capture the status stays when a step is given up.
    const isStepOver = isNew || (!openStep && line === moves.at(-1));
    const isHeld = hold !== undefined && holds.has(to);
    const collected = captures.filter(({ status }) => status === 'completed');
    const captured = collected.reduce((sum, { minor }) => sum + minor, 0);
    const failed =
      failures.has(event) && holds.has(to)
        ? failedStep(from, commands, failedSteps, failedCommands)
        : undefined;
    return [
      ...when(isHeld && beforeHold.has(from), 'payment.authorized', 'authorized'),
      // Before the end that it may lead to: nothing follows that.
      ...captures.filter(({ status }) => status === 'denied').map(denialNews),
      ...when(isNew, paymentStatusNews[to as PaymentStatus], to),
      ...when(warnings.has(event), 'payment.hold_expiring', `${event}:${period}`),
      ...when(
        event === 'authorizationRenewed',
        'payment.reauthorized',
        `reauthorized:${reauthorizations?.earlier.length}`,
      ),
      ...when(
        (isNew || event === 'providerObserved') && to === 'partially_captured' && captured > 0,
        'payment.partially_captured',
        `captured:${captured}`,
      ),
      ...when(isStepOver, failed, `failed:${stepsBegun}`),
      ...doubtNews('payment', state, line),
    ].map((news) => ({ ...news, version: line.version }));
  });
}

/** Not told by a later change of the payment, to an endpoint that was registered since. */
function denialNews({ captureId, status }: Capture): News {
  const unless = { captures: [{ captureId, status }] };
  return { type: 'payment.capture_failed', fact: `denied:${captureId}`, unless };
}

export function refundNews(state: RefundState, timeline: readonly TimelineEntry[]): News[] {
  const isChargeback = state.claim.kind === 'reversal';
  return movesIn(timeline).flatMap((line): News[] => {
    const { from, to } = line;
    // An amount that becomes known after the end brings a line, too, when the first notification may be purged.
    const isMade = from !== to && (to === 'pending' || to === 'completed');
    const isNotMade =
      ['failed', 'cancelled', 'declined'].includes(to) || (to === 'unfounded' && from !== 'observed');
    const news = isChargeback
      ? [
          ...when(isMade, 'chargeback.created', 'created'),
          // Its amount may become known after its end, or never.
          ...when(to === 'completed' && state.amount !== undefined, 'chargeback.completed', 'completed'),
        ]
      : [
          ...when(isMade, 'refund.created', 'created'),
          ...when(to === 'pending', 'refund.pending', 'pending'),
          ...when(to === 'completed', 'refund.completed', 'completed'),
          ...when(isNotMade, 'refund.failed', 'failed'),
        ];
    return [...news, ...doubtNews('refund', state, line)].map((each) => ({ ...each, version: line.version }));
  });
}
