import type { TimelineEntry } from '#workflows/lifecycle';
import type { SteppingState } from '#workflows/lifecycle/step';
import type { CommandKind, CommandRow } from '../schema/schema.js';
import type { News, NotificationType } from './notification-types.js';

/** Events by which a step ends, or is repeated, that was not made. */
export const failures: ReadonlySet<string> = new Set([
  'stepDeclined',
  'stepDeferred',
  'stepProvedUndone',
  'stepDecidedUndone',
  'approvalFoundMissing',
  'reauthorizationTooSoon',
]);

export type WrittenCommand = Pick<CommandRow, 'kind' | 'status'>;

/**
 * The notification of a step that was given up.
 *
 * @param status of the subject before.
 * @param byStatus by the status during the step.
 * @param byCommand the same of a step that was under review.
 */
export function failedStep(
  status: string,
  commands: readonly WrittenCommand[],
  byStatus: Readonly<Record<string, NotificationType>>,
  byCommand: Partial<Record<CommandKind, NotificationType>>,
): NotificationType | undefined {
  const failed = commands.find((command) => command.status === 'failed');
  return byStatus[status] ?? (failed && byCommand[failed.kind]);
}

type DoubtfulKind = 'payment' | 'refund' | 'subscription' | 'payout';

export function doubtNews(
  kind: DoubtfulKind,
  { openStep, stepsBegun }: SteppingState<unknown>,
  line: TimelineEntry,
): News[] {
  const { event, from, to, version } = line;
  // The creation of a payout is asked for again, under the same key, for as long as it is in doubt: that is one doubt.
  const isInDoubt = event === 'outcomeUnknown' && openStep?.phase === 'doubt' && openStep.looks <= 1;
  const reviewed = openStep ? `step ${openStep.number}:${openStep.attempts}` : `version ${version}`;
  return [
    ...when(isInDoubt, `${kind}.in_doubt`, `in_doubt:${openStep?.number}:${openStep?.attempts}`),
    ...when(to === 'needs_review' && from !== to, `${kind}.needs_review`, `needs_review:${reviewed}`),
    ...waitingAgain(kind, stepsBegun, line),
  ];
}

/** The end of an execution's doubt after which the payer is asked again: the subject was told as waiting before. */
function waitingAgain(kind: DoubtfulKind, stepsBegun: number, { from, to }: TimelineEntry): News[] {
  if (kind !== 'payment' && kind !== 'subscription') return [];
  // The first step is the creation, after which the payer is asked first.
  if (to !== 'awaiting_approval' || from === to || stepsBegun === 1) return [];
  const ends = `in_doubt:${stepsBegun}:`;
  return [{ type: `${kind}.awaiting_approval`, fact: `awaiting_approval:${stepsBegun}`, ends }];
}

export function when(applies: boolean, type: NotificationType | undefined, fact: string): News[] {
  return applies && type !== undefined ? [{ type, fact }] : [];
}

export function movesIn(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  return timeline.filter(({ kind }) => kind === 'moved');
}
