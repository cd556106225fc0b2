import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import { apiCallRecord } from '../calls/api-calls.js';
import { newsRecords } from '../notifications/news-record.js';
import { recordJson, soundJson, storableJson, storableText } from '../text/storable-text.js';
import { resourceList } from './resources.js';
import { inPlace } from './transition-parameters.js';
import { type CommandOutcome, type Transition, hasEnded, newsIn } from './transition.js';

/** The values of a transition's statement. */
export function transitionValues<State extends LifecycleState>(transition: Transition<State>): unknown[] {
  const { records, subject, state, version, timeline, readBeganAt, taskStartedAt } = transition;
  const { knownStatus, knownVersion = version, ownLines = [], calls = [], commands = [] } = transition;
  const isEnding = hasEnded(transition);
  return inPlace({
    subjectId: subject.id,
    environment: subject.environment,
    application: subject.application,
    state: storableJson(state),
    status: state.status,
    version,
    task: taskStartedAt === undefined ? null : new Date(taskStartedAt),
    knownStatus: knownStatus ?? null,
    knownVersion,
    readBeganAt: readBeganAt ?? null,
    isEnding,
    finalParts: finalPartsOf(transition),
    columns: soundJson(records.columnsOf?.(state) ?? {}),
    resources: resourceList(records.resourcesOf(state)),
    timeline: soundJson(timeline.map(timelineRecord)),
    ownLines: soundJson(ownLines.map(timelineRecord)),
    commands: jsonArray(commands.map((command) => commandRecord(subject.id, command))),
    fulfilled: records.fulfilledBy(state),
    leftResult: isEnding ? storableJson(resultOfLeftCommands(state)) : null,
    calls: jsonArray(calls.map(apiCallRecord)),
    news: newsRecords(newsIn(transition)),
  });
}

/**
 * A capture reported as completed or denied stays so. An older state is not written; the row waits until the run has that
 * result again. An end is always written.
 */
function finalPartsOf<State extends LifecycleState>(transition: Transition<State>): string | null {
  const { finalParts } = transition.records;
  if (!finalParts || hasEnded(transition)) return null;
  return JSON.stringify(Object.fromEntries(finalParts.of(transition.state)));
}

function timelineRecord(entry: TimelineEntry) {
  return {
    version: entry.version,
    event: entry.event,
    kind: entry.kind,
    from_status: entry.from,
    to_status: entry.to,
    detail: entry.detail === undefined ? null : storableText(entry.detail),
    command_id: entry.commandId,
    at: new Date(entry.at),
  };
}

function commandRecord(subjectId: string, { commandId, kind, status, result }: CommandOutcome): string {
  const command = { id: commandId, kind, status, is_own: isOwnCommand(subjectId, commandId) };
  return recordJson(command, { result: result ? storableJson(result) : null });
}

/** True for the commands of the subject's order and policies. The ids of requests are random. */
function isOwnCommand(subjectId: string, commandId: string): boolean {
  return commandId.startsWith(`${subjectId}:`);
}

function resultOfLeftCommands({ status, reason }: LifecycleState) {
  return { code: 'overtaken', reason: reason ?? `It has ended ${status}.` };
}

function jsonArray(documents: readonly string[]): string {
  return `[${documents.join(',')}]`;
}
