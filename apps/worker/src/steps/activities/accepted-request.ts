import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { findCommand } from '#database/commands';
import { hasPayerCancelled } from '#database/subjects';
import type { CommandRow } from '#database/schema';
import { writeTransition } from '#database/transitions';
import type { ActivityInput } from '#workflows/contract';
import {
  type LifecycleEvent,
  type LifecycleState,
  type Position,
  type TimelineEntry,
  undoRequest,
  isRequest,
  isRequestType,
  requestKinds,
} from '#workflows/lifecycle';
import type { OpenStep, StepOf } from '#workflows/lifecycle/step';
import { type RecordingWork, taskOf } from './subject-writer.js';

/** Also for orders: their step follows from the start of the run, not from a message. */
interface OrderWriter<State, Step> {
  commandOf?(step: Step, state: State): { readonly commandId: string; readonly kind: string } | undefined;
}

/**
 * A signal is not a permission: everybody who can write to Temporal can send one. Before each activity acts, it checks
 * that the request behind it has an accepted row that asks for exactly this. If not, the state stays as it was before
 * the request, and a timeline line records it (docs/decisions/0021).
 *
 * @param activities have their input as the first argument. Other causes than requests (a deadline, a read) pass
 *   unchecked.
 */
export function onlyAccepted<
  Identity,
  State extends LifecycleState & { readonly openStep?: OpenStep<Step> },
  Event extends LifecycleEvent,
  Step extends StepOf,
  Activities extends object,
>(
  work: RecordingWork<Identity, State, Event> & { readonly writer: OrderWriter<State, Step> },
  activities: Activities,
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (input: ActivityInput<Identity, State> | Identity, ...others: unknown[]) => {
      const refusal = hasPosition(input) ? await refusalOf(work, input, others) : undefined;
      return refusal ?? (await (activity as (...args: unknown[]) => Promise<unknown>)(input, ...others));
    },
  ]);
  return Object.fromEntries(guarded) as Activities;
}

/** True for an input with a position; false for an identity alone. */
function hasPosition<Identity, State>(
  input: ActivityInput<Identity, State> | Identity,
): input is ActivityInput<Identity, State> {
  return typeof input === 'object' && input !== null && 'timeline' in input;
}

async function refusalOf<
  Identity,
  State extends LifecycleState & { readonly openStep?: OpenStep<Step> },
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: RecordingWork<Identity, State, Event> & { readonly writer: OrderWriter<State, Step> },
  input: ActivityInput<Identity, State>,
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

async function checkRequest<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context: { db }, writer }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  before: Position<State>,
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
  const accepted = writer.lifecycle.transition(before.state, eventOf(event, command) as Event, at);
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
async function refuse<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, writer }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  {
    before,
    request,
    check,
  }: { before: Position<State>; request: TimelineEntry; check: Exclude<RequestCheck, 'accepted'> },
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
async function assertOrdered<
  Identity,
  State extends LifecycleState & { readonly openStep?: OpenStep<Step> },
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  {
    context: { db },
    writer,
  }: RecordingWork<Identity, State, Event> & { readonly writer: OrderWriter<State, Step> },
  { identity, state }: ActivityInput<Identity, State>,
): Promise<undefined> {
  const { openStep } = state;
  if (openStep?.phase !== 'running' || openStep.attempts > 0) return;
  const order = writer.commandOf?.(openStep.step, state);
  if (order?.kind !== 'create' && order?.kind !== 'refund') return;
  const command = await findCommand(db, order.commandId);
  if (command?.kind === order.kind && command.subject_id === writer.subjectOf(identity).id) return;
  throw ApplicationFailure.nonRetryable('This run has no accepted order.', 'unfounded');
}
