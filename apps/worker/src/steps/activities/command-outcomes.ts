import type { CommandKind } from '#database/schema';
import type { CommandOutcome } from '#database/transitions';
import { type LifecycleState, type TimelineEntry, isRequestType, requestKinds } from '#workflows/lifecycle';
import type { Kind, SubjectWriter } from './subject-writer.js';

/**
 * The outcomes in the new timeline lines. A message can name the request that is being carried out: it is refused like
 * any other, but that is not the outcome of the request.
 *
 * @param state with the step under way, if any.
 */
export function outcomesIn<K extends Kind>(
  writer: SubjectWriter<K>,
  timeline: readonly TimelineEntry[],
  state: K['state'],
): CommandOutcome[] {
  const { openStep } = state;
  const underWay = openStep && writer.commandOf(openStep.step, state)?.commandId;
  return writer
    .commandsIn(timeline)
    .filter(({ commandId, status }) => status !== 'refused' || commandId !== underWay);
}

type Command = Pick<CommandOutcome, 'commandId' | 'kind'>;

/** The outcome of a command whose step was not carried out (yet). */
export function outcomeOfUndone(
  command: Command,
  event: { readonly type: string; readonly reason?: string },
  after: LifecycleState & { readonly openStep?: unknown },
): CommandOutcome {
  switch (event.type) {
    case 'stepDecidedUndone':
      return { ...command, status: 'failed', result: { code: 'decided_undone', reason: event.reason ?? '' } };
    case 'stepDeclined':
      return refusedByProvider(command, event.reason ?? '');
    default:
      // Deferred, unknown or proved undone: the command is still under way unless it was given up.
      return after.openStep ? { ...command, status: 'executing' } : givenUp(command, after);
  }
}

export function refusedByProvider(command: Command, reason: string): CommandOutcome {
  return { ...command, status: 'failed', result: { code: 'provider_refused', reason } };
}

/**
 * Commands that the run did not take. A message can name any command: without an accepted row it can name the subject's
 * own order, which it must not refuse.
 */
export function refusedCommands(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry) => {
    if (entry.kind !== 'refused' || entry.commandId === undefined || isOwn(entry.commandId)) return [];
    const result = { code: entry.code ?? 'not_allowed_in_state', reason: entry.detail ?? '' };
    return [{ commandId: entry.commandId, kind: kindOf(entry.event), status: 'refused', result }];
  });
}

/** True for the commands of orders and policies, which no message asks for: the ids of requests have no colon. */
function isOwn(commandId: string): boolean {
  return commandId.includes(':');
}

/** The kind of a refused request or decision. */
function kindOf(event: string): CommandKind {
  return isRequestType(event) ? requestKinds[event] : 'decide';
}

/** A cancellation without a call, because nothing was executed yet. */
export function cancelledUncalled(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap(({ event, kind, to, commandId }): CommandOutcome[] => {
    if (event !== 'cancelRequested' || kind !== 'moved' || to !== 'cancelled') return [];
    return commandId === undefined
      ? []
      : [{ commandId, kind: 'cancel', status: 'succeeded', isUncalled: true }];
  });
}

/** The events by which a step is over that did not happen; the last two are refusals with a meaning. */
const undone: ReadonlySet<string> = new Set([
  'stepDecidedUndone',
  'stepDeclined',
  'approvalFoundMissing',
  'reauthorizationTooSoon',
]);

/** A decision succeeds if it changed its subject; it fails if a lookup found the outcome first. */
export function decisions(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry, at): CommandOutcome[] => {
    const { event, kind, commandId, decision } = entry;
    if (event !== 'reviewDecided' || kind !== 'moved' || commandId === undefined) return [];
    const command = { commandId, kind: 'decide' } as const;
    if (decision === 'keep') return [{ ...command, status: 'succeeded', isUncalled: true }];
    // A void is the outcome of the step that it began.
    if (decision === 'void') return [];
    const outcome = timeline[at + 1];
    if (!outcome) return [{ ...command, status: 'executing' }];
    if (outcome.event === 'decisionRefused') return [];
    if (undone.has(outcome.event) === (decision === 'did_not_happen'))
      return [{ ...command, status: 'succeeded' }];
    const reason = 'The provider has shown the opposite meanwhile.';
    return [{ ...command, status: 'refused', result: { code: 'contradicted_by_provider', reason } }];
  });
}

function givenUp(command: Command, after: LifecycleState): CommandOutcome {
  return {
    ...command,
    status: 'failed',
    result: { code: 'provider_unavailable', reason: after.reason ?? '' },
  };
}
