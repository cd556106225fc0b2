import type { SubjectHistory } from '#database/console';
import type { Owner } from '#database/schema';
import { stepText } from '../sentences/steps.js';
import { actorText, counted, money, notificationAddress, spaced, unfolded } from '../sentences/words.js';
import { actorOfEvent, eventText } from './events.js';
import type { HistoryEntry } from './history-entry.js';

/** Everything that is recorded about a subject, in order. */
export function historyEntries(
  history: SubjectHistory,
  { environment, application }: Owner,
  currency: string,
): HistoryEntry[] {
  return [
    ...history.commands.map((command) => commandEntry(command, history, currency)),
    ...history.timeline.map(timelineEntry),
    ...history.attempts.map((attempt) => attemptEntry(attempt, currency)),
    ...callEntries(history.calls),
    ...history.events.map((event) => ({
      ...eventEntry(event),
      href: `/console/webhook-events/${environment}/${application}/${encodeURIComponent(event.event_id)}`,
    })),
    ...history.notifications.map((notification) => ({
      ...notificationEntry(notification),
      href: notificationAddress(notification),
    })),
    ...history.audit.filter(({ command_id: command }) => command === null).map(auditEntry),
  ].sort((left, right) => left.at - right.at);
}

type Of<Part extends keyof SubjectHistory> = SubjectHistory[Part][number];

const marks = {
  succeeded: 'good',
  failed: 'bad',
  refused: 'bad',
  accepted: 'caution',
  executing: 'caution',
} as const;

function commandEntry(command: Of<'commands'>, { audit }: SubjectHistory, currency: string): HistoryEntry {
  const { minor } = command.parameters as { readonly minor?: number };
  const amount = minor === undefined ? '' : ` of ${money(minor, currency)}`;
  const asked = command.requested_by === 'policy' ? 'acts' : 'asks';
  const reasons = audit.filter(({ command_id: id, reason }) => id === command.id && reason !== null);
  const refusal = command.result?.reason;
  const unshown = command.is_unshown
    ? ', but the payment does not show it yet: its run must find it again'
    : '';
  return {
    at: command.created_at.getTime(),
    actor: actorText(command.requested_by),
    text: `${asked}: ${unfolded(command.kind)}${amount}; ${command.status}${unshown}`,
    note:
      [
        ...reasons.map(({ reason, user_name: name }) => `${name}: ${reason}`),
        ...(refusal ? [refusal] : []),
      ].join(' – ') || undefined,
    mark: command.is_unshown ? 'caution' : marks[command.status],
  };
}

function timelineEntry({
  event,
  kind,
  from_status: from,
  to_status: to,
  detail,
  at,
}: Of<'timeline'>): HistoryEntry {
  const change = from === to ? '' : ` (${spaced(from)} → ${spaced(to)})`;
  const result = kind === 'moved' ? '' : `; ${kind === 'refused' ? 'refused' : 'it contradicts the records'}`;
  return {
    at: at.getTime(),
    actor: actorOfEvent(event),
    text: `${eventText(event)}${result}${change}`,
    note: detail ?? undefined,
    mark: markOf(kind, event, to),
  };
}

function markOf(kind: string, event: string, to: string): HistoryEntry['mark'] {
  if (kind !== 'moved' || to === 'needs_review' || event === 'stepDeclined') return 'bad';
  return event === 'outcomeUnknown' || event === 'lookInconclusive' ? 'caution' : undefined;
}

function attemptEntry(attempt: Of<'attempts'>, currency: string): HistoryEntry {
  const number = attempt.attempt_number === 0 ? '' : `, attempt ${attempt.attempt_number + 1}`;
  return {
    at: attempt.begun_at.getTime(),
    actor: 'Engine',
    text: `${stepText(attempt.step, currency)} begins${number}; ${attempt.outcome ?? 'no outcome yet'}`,
    note: `Reference ${attempt.reference}`,
    mark: attempt.outcome === 'unknown' || attempt.outcome === null ? 'caution' : undefined,
  };
}

/** Reads that follow each other are one entry: there may be many. */
function callEntries(calls: SubjectHistory['calls']): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let reads: Of<'calls'>[] = [];
  const flush = () => {
    const last = reads.at(-1);
    if (last) entries.push(readsEntry(last, reads.length));
    reads = [];
  };
  for (const call of calls) {
    if (call.method === 'GET') {
      reads.push(call);
      continue;
    }
    flush();
    entries.push(callEntry(call));
  }
  flush();
  return entries;
}

function readsEntry(last: Of<'calls'>, count: number): HistoryEntry {
  return {
    ...callEntry(last),
    text: `${counted(count, 'read')} of the provider; the last: ${answerText(last)}`,
  };
}

function callEntry(call: Of<'calls'>): HistoryEntry {
  return {
    at: call.started_at.getTime() + call.duration_ms,
    actor: 'Provider',
    text: `${call.method} ${call.path}: ${answerText(call)}`,
    note: call.debug_id === null ? undefined : `Debug id ${call.debug_id}`,
    mark: call.status === null || call.status >= 500 ? 'caution' : undefined,
    href: `/console/calls/${call.id}`,
  };
}

function answerText({ status, error, duration_ms: ms }: Of<'calls'>): string {
  return `${status === null ? `no answer (${error ?? 'unknown'})` : `answered ${status}`} after ${ms} ms`;
}

function eventEntry(event: Of<'events'>): HistoryEntry {
  const found = event.source === 'reconciliation' ? ', found by reconciliation' : '';
  return {
    at: event.received_at.getTime(),
    actor: 'Provider',
    text: `Webhook event ${event.event_type} about ${event.resource.id}${found}; ${event.status}`,
    note: event.detail ?? undefined,
    mark: event.status === 'conflict' || event.status === 'contested' ? 'bad' : undefined,
  };
}

function notificationEntry({ type, created_at: at, deliveries }: Of<'notifications'>): HistoryEntry {
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const isFailed = deliveries.some(({ state }) => state === 'failed');
  return {
    at: at.getTime(),
    actor: 'Engine',
    text: `Notification ${type}: delivered to ${delivered} of ${counted(deliveries.length, 'endpoint')}`,
    mark: isFailed ? 'bad' : undefined,
  };
}

function auditEntry({ at, user_name: name, action, reason }: Of<'audit'>): HistoryEntry {
  return { at: at.getTime(), actor: name, text: `asks: ${action}`, note: reason ?? undefined };
}
