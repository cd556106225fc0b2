import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { findCommand } from '#database/commands';
import { hasPayerCancelled } from '#database/subjects';
import type { CommandRow } from '#database/schema';
import { writeTransition } from '#database/transitions';
import {
  type Position,
  type TimelineEntry,
  undoRequest,
  isRequest,
  isRequestType,
  requestKinds,
} from '#workflows/lifecycle';
import { type InputOf, type Kind, type Work, taskOf } from './subject-writer.js';

/**
 * A signal is not a permission: everybody who can write to Temporal can send one. Before each activity acts, it checks
 * that the request behind it has an accepted row that asks for exactly this. If not, the state stays as it was before
 * the request, and a timeline line records it (docs/decisions/0021).
 *
 * @param activities have their input as the first argument. Other causes than requests (a deadline, a read) pass
 *   unchecked.
 */
export function onlyAccepted<K extends Kind, Activities extends object>(
  work: Work<K>,
  activities: Activities,
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (input: InputOf<K> | K['identity'], ...others: unknown[]) => {
      const refusal = hasPosition<K>(input) ? await refusalOf(work, input, others) : undefined;
      return refusal ?? (await (activity as (...args: unknown[]) => Promise<unknown>)(input, ...others));
    },
  ]);
  return Object.fromEntries(guarded) as Activities;
}

/** True for an input with a position; false for an identity alone. */
function hasPosition<K extends Kind>(input: InputOf<K> | K['identity']): input is InputOf<K> {
  return typeof input === 'object' && input !== null && 'timeline' in input;
}

async function refusalOf<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  others: readonly unknown[],
): Promise<unknown> {
  const { before, timeline } = input;
  const request = timeline.find(isRequest);
  if (!request || !before) return await assertOrdered(work, input);
  const check = await checkRequest(work, input, before, request, others);
  return check === 'accepted' ? undefined : await refuse(work, input, { before, request, check });
}

/**
 * Whether the request may be carried out. `refusedBefore`: a worker that lost its task later had already refused it.
 */
type RequestCheck = 'accepted' | 'notAccepted' | 'refusedBefore';

async function checkRequest<K extends Kind>(
  { context: { db }, writer }: Work<K>,
  input: InputOf<K>,
  before: Position<K['state']>,
  { event, commandId, at }: TimelineEntry,
  others: readonly unknown[],
): Promise<RequestCheck> {
  const { id } = writer.subjectOf(input.identity);
  if (event === 'payerCancelled')
    return (await hasPayerCancelled(db, writer.records.table, id)) ? 'accepted' : 'notAccepted';
  if (!isRequestType(event) || typeof commandId !== 'string') return 'notAccepted';
  const command = await findCommand(db, commandId);
  if (command?.subject_id !== id || command.kind !== requestKinds[event]) return 'notAccepted';
  // The accepted command, not the signal, must lead to exactly this state, including its amounts.
  const accepted = writer.lifecycle.transition(before.state, eventOf(event, command), at);
  if (accepted.kind !== 'moved' || !isAlike(accepted.state, input.state)) return 'notAccepted';
  const { effect } = accepted;
  // A worker that lost its task may have refused the decision: verifying it again finds the recorded refusal.
  if (effect && 'decided' in effect)
    return others.some((argument) => isAlike(effect.decided, argument)) ? 'accepted' : 'notAccepted';
  return command.status === 'refused' ? 'refusedBefore' : 'accepted';
}

function eventOf(type: string, { id, parameters }: CommandRow) {
  return { ...parameters, type, commandId: id };
}

/** Compares as JSON, because undefined fields do not survive a history. */
function isAlike(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** Changes no command row: the message may have named somebody else's command. */
async function refuse<K extends Kind>(
  { context, writer }: Work<K>,
  input: InputOf<K>,
  {
    before,
    request,
    check,
  }: { before: Position<K['state']>; request: TimelineEntry; check: Exclude<RequestCheck, 'accepted'> },
): Promise<unknown> {
  const { records } = writer;
  const subject = writer.subjectOf(input.identity);
  const { position, entry } = undoRequest(before, request, check);
  await writeTransition(context.db, { ...taskOf(input), records, subject, ...position, timeline: [entry] });
  context.changes.announce(subject.id);
  // `stepDeclined` is for runs on older code that does not know `isUnfounded`, after a rollback.
  const event = { type: 'stepDeclined', reason: entry.detail ?? '' };
  return {
    event,
    at: Date.now(),
    isUnfounded: true,
    ...(check === 'refusedBefore' && { wasRefused: true }),
  };
}

/** Checks that the first step of a run carries out an accepted order: a start is no permission, just like a signal. */
async function assertOrdered<K extends Kind>(
  { context: { db }, writer }: Work<K>,
  { identity, state }: InputOf<K>,
): Promise<undefined> {
  const { openStep } = state;
  if (openStep?.phase !== 'running' || openStep.attempts > 0) return;
  const order = writer.commandOf(openStep.step, state);
  if (order?.kind !== 'create' && order?.kind !== 'refund') return;
  const command = await findCommand(db, order.commandId);
  if (command?.kind === order.kind && command.subject_id === writer.subjectOf(identity).id) return;
  throw ApplicationFailure.nonRetryable('This run has no accepted order.', 'unfounded');
}
