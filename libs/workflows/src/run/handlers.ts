import {
  ApplicationFailure,
  type SignalDefinition,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { decideReviewUpdate } from '../contract/review.js';
import type { RunMessage, TimedInput } from '../contract/run.js';
import { isMessage, messagesOnly } from './message.js';

/**
 * Has the run take its signals. Those that came before, with its start or while it read where it stands, were kept by the
 * SDK, and are taken now: as they came. Runs that were begun before views were recorded take them name by name, as they are
 * listed; but where the task that began the run is lost, and the run goes on, a replay finds more of them kept, and in
 * another order than they were taken (docs/decisions/0025).
 */
export function takeSignals<Message>(
  run: { receive(message: Message): void },
  signals: Readonly<Record<string, SignalDefinition<[Message]>>>,
  { recordsTime }: TimedInput,
): void {
  const handlers = Object.values(signals).map((signal) => {
    const handle = messagesOnly(signal.name, (message: Message) => run.receive(message));
    return { signal, handle };
  });
  if (recordsTime === true) {
    const named = new Map(handlers.map(({ signal, handle }) => [signal.name, handle]));
    setDefaultSignalHandler((name, message) => named.get(name)?.(message as Message));
  }
  for (const { signal, handle } of handlers) setHandler(signal, handle);
}

/** Has the run take what operators decide about what is under review. */
export function takeDecisions<Sent extends RunMessage>(run: {
  receive(message: Sent): void;
  assertTakes(message: Sent): void;
}): void {
  // Whatever it says: the validator refuses decisions that the lifecycle does not know.
  setHandler(decideReviewUpdate, (message: RunMessage) => run.receive(message as Sent), {
    validator: (message: RunMessage) => {
      if (!isMessage(message, 'reviewDecided')) throw noDecision();
      run.assertTakes(message as Sent);
    },
  });
}

function noDecision(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'not_allowed_in_state',
    message: 'That is no decision.',
    nonRetryable: true,
  });
}
