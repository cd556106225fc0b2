import type { UrgentRow } from '#database/console';
import { holdDeadlines, reviewSubject } from '#workflows/lifecycle/payment';
import { doubtText, lookupsText, stepText } from './steps.js';
import { dayText, durationText, money, whenText } from './words.js';

/** Why a subject waits for a person, or may soon. */
export function whyText(row: UrgentRow, now: number): string {
  const { openStep } = row.state;
  if (openStep?.phase === 'doubt' && row.sent_at !== null) return sentText(row, row.sent_at, now);
  const reported = row.event_type === null ? '' : ` The latest webhook event is ${row.event_type}.`;
  return `${reasonOf(row, now)}${reported}`;
}

/** "Capture of 70.00 USD sent 13:46; reply lost; 10 lookups found no outcome; webhook says completed." */
function sentText(row: UrgentRow, sentAt: Date, now: number): string {
  const { openStep } = row.state;
  const { answer_status: status, event_state: state, event_at: eventAt } = row;
  const parts = [
    `${stepOf(row)} sent ${whenText(sentAt.getTime(), now)}`,
    status === null ? 'reply lost' : `answered ${status}, which says nothing of the outcome`,
    lookupsText(openStep?.looks ?? 0),
  ];
  // An event from before says nothing of this step.
  if (eventAt !== null && eventAt >= sentAt) parts.push(`webhook says ${state?.toLowerCase() ?? 'nothing'}`);
  return `${parts.join('; ')}.`;
}

function stepOf(row: UrgentRow): string {
  const { openStep } = row.state;
  if (!openStep) return '';
  const { minor, currency } = amountOf(row) ?? { minor: undefined, currency: '' };
  const isWhole = openStep.step.type === 'makeRefund' || openStep.step.type === 'createPayout';
  return stepText(openStep.step, currency, isWhole ? minor : undefined);
}

function reasonOf(row: UrgentRow, now: number): string {
  const { openStep, reason } = row.state;
  if (openStep) return `${stepOf(row)}: ${doubtText(openStep, now)}.`;
  if (row.table === 'payments') {
    const { state } = row;
    const subject = reviewSubject(state);
    if (subject === 'amount' || subject === 'sale_amount') {
      const { minor = 0 } = state.authorization ?? state.sale ?? {};
      const { currency } = state.order.amount;
      const verb = subject === 'amount' ? 'holds' : 'took';
      return `The provider ${verb} ${money(minor, currency)}; ${money(state.order.amount.minor, currency)} was ordered.`;
    }
    if (subject === 'unseen_capture') return 'The provider calls the hold captured and shows no capture.';
    if (state.authorization) return holdText(holdDeadlines(state.authorization).captureUntil, now);
  }
  return reason ?? 'A person must decide.';
}

function holdText(until: number, now: number): string {
  if (until <= now) return 'The hold has ended; the engine asks the provider how it ended.';
  return `The hold ends on ${dayText(until, now)} at ${whenText(until, until)}, in ${durationText(until - now)}.`;
}

/** What was ordered; undefined where it is not known, or there is none. */
export function amountOf(row: UrgentRow): { readonly minor: number; readonly currency: string } | undefined {
  switch (row.table) {
    case 'payments':
      return row.state.order.amount;
    case 'refunds':
      return row.state.amount;
    case 'payouts':
      return row.state.order.total;
    case 'plans':
    case 'subscriptions':
      return undefined;
  }
}
