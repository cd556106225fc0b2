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
  giveBack,
  isRequest,
  isRequestType,
  requestKinds,
} from '#workflows/lifecycle';
import type { OpenStep, StepOf } from '#workflows/lifecycle/step';
import { type RecordingWork, writerOf } from './bookkeeping.js';

/** What it goes by besides: an order, whose step nobody asked for by a message. */
interface OrderBooks<State, Step> {
  commandOf?(step: Step, state: State): { readonly commandId: string; readonly kind: string } | undefined;
}

/**
 * A signal is not a permission: whoever can write to Temporal could send one. Each activity looks, before it does
 * anything, whether the request that led to it has an accepted row, and asks there for exactly this. Where it does not,
 * everything stays as it was before the request, and a line of the story tells of it (docs/decisions/0021).
 *
 * @param activities take their input first; what led to them from elsewhere (a deadline, a read) is let through.
 */
export function onlyAccepted<
  Identity,
  State extends LifecycleState & { readonly openStep?: OpenStep<Step> },
  Event extends LifecycleEvent,
  Step extends StepOf,
  Activities extends object,
>(
  work: RecordingWork<Identity, State, Event> & { readonly books: OrderBooks<State, Step> },
  activities: Activities,
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (input: ActivityInput<Identity, State> | Identity, ...others: unknown[]) => {
      const refusal = isStanding(input) ? await refusalOf(work, input, others) : undefined;
      return refusal ?? (await (activity as (...args: unknown[]) => Promise<unknown>)(input, ...others));
    },
  ]);
  return Object.fromEntries(guarded) as Activities;
}

/** True but for what looks for where something stands. */
function isStanding<Identity, State>(
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
  work: RecordingWork<Identity, State, Event> & { readonly books: OrderBooks<State, Step> },
  input: ActivityInput<Identity, State>,
  others: readonly unknown[],
): Promise<unknown> {
  const { before, timeline } = input;
  const request = timeline.find(isRequest);
  if (!request || !before) return await assertOrdered(work, input);
  const standing = await standingOf(work, input, before, request, others);
  return standing === 'accepted' ? undefined : await refuse(work, input, { before, request, standing });
}

/** Whether it may be carried out: `refusedBefore` by a worker that has lost its task since. */
type RequestStanding = 'accepted' | 'unfounded' | 'refusedBefore';

async function standingOf<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context: { db }, books }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  before: Position<State>,
  { event, commandId, at }: TimelineEntry,
  others: readonly unknown[],
): Promise<RequestStanding> {
  const { id } = books.subjectOf(input.identity);
  if (event === 'payerCancelled')
    return (await hasPayerCancelled(db, books.records.table, id)) ? 'accepted' : 'unfounded';
  if (!isRequestType(event) || typeof commandId !== 'string') return 'unfounded';
  const command = await findCommand(db, commandId);
  if (command?.subject_id !== id || command.kind !== requestKinds[event]) return 'unfounded';
  // Whatever was sent: what was accepted must lead to this very state, amounts and all.
  const accepted = books.lifecycle.transition(before.state, eventOf(event, command) as Event, at);
  if (accepted.kind !== 'moved' || !isAlike(accepted.state, input.state)) return 'unfounded';
  const { effect } = accepted;
  // A decision may have been refused by a worker whose task got lost: verifying it again finds the refusal on record.
  if (effect && 'decided' in effect)
    return others.some((argument) => isAlike(effect.decided, argument)) ? 'accepted' : 'unfounded';
  return command.status === 'refused' ? 'refusedBefore' : 'accepted';
}

function eventOf(type: string, { id, parameters }: CommandRow) {
  return { ...parameters, type, commandId: id };
}

/** As they come out of a history, where what is undefined is not there. */
function isAlike(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** Nobody's command is touched: where the message named one that is not its own, that one still stands. */
async function refuse<Identity, State extends LifecycleState, Event extends LifecycleEvent>(
  { context, books }: RecordingWork<Identity, State, Event>,
  input: ActivityInput<Identity, State>,
  {
    before,
    request,
    standing,
  }: { before: Position<State>; request: TimelineEntry; standing: Exclude<RequestStanding, 'accepted'> },
): Promise<unknown> {
  const { records } = books;
  const subject = books.subjectOf(input.identity);
  const { position, entry } = giveBack(before, request, standing);
  await writeTransition(context.db, { ...writerOf(input), records, subject, ...position, timeline: [entry] });
  context.changes.announce(subject.id);
  // The event is for a run that does not know the word yet: after a release was taken back.
  const event = { type: 'stepDeclined', reason: entry.detail ?? '' };
  return {
    event,
    at: Date.now(),
    isUnfounded: true,
    ...(standing === 'refusedBefore' && { wasRefused: true }),
  };
}

/** The first step of a run carries out the order that it was started for: a start is a permission as little as a signal. */
async function assertOrdered<
  Identity,
  State extends LifecycleState & { readonly openStep?: OpenStep<Step> },
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  {
    context: { db },
    books,
  }: RecordingWork<Identity, State, Event> & { readonly books: OrderBooks<State, Step> },
  { identity, state }: ActivityInput<Identity, State>,
): Promise<undefined> {
  const { openStep } = state;
  if (openStep?.phase !== 'running' || openStep.attempts > 0) return;
  const order = books.commandOf?.(openStep.step, state);
  if (order?.kind !== 'create' && order?.kind !== 'refund') return;
  const command = await findCommand(db, order.commandId);
  if (command?.kind === order.kind && command.subject_id === books.subjectOf(identity).id) return;
  throw ApplicationFailure.nonRetryable('No accepted order stands behind this run.', 'unfounded');
}
