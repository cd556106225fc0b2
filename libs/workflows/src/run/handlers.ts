import {
  ApplicationFailure,
  type SignalDefinition,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { decideReviewUpdate, isDecision } from '../contract/review.js';
import type { RunMessage, TimedInput } from '../contract/run.js';
import { isMessage, messagesOnly } from './message.js';

/**
 * Registers the run's signal handlers. The SDK keeps signals that arrive earlier and hands them over now.
 *
 * A run that records views registers a default handler first, so it gets the kept signals in the order of their arrival.
 * An older run gets them signal by signal, in the order of `signals`. Its replay can find more kept signals, in another
 * order, if the run's first workflow task was lost (docs/decisions/0025).
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

/** Registers the run's Update handler for operators' decisions in a review. */
export function takeDecisions<Sent extends RunMessage>(run: {
  receive(message: Sent): void;
  assertTakes(message: Sent): void;
}): void {
  // The type is not checked here: the validator refuses decisions that the lifecycle does not know.
  setHandler(decideReviewUpdate, (message: RunMessage) => run.receive(message as Sent), {
    validator: (message: RunMessage) => {
      if (!isMessage(message, isDecision)) throw noDecision();
      run.assertTakes(message as Sent);
    },
  });
}

function noDecision(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'not_allowed_in_state',
    message: 'This message is not a decision.',
    nonRetryable: true,
  });
}
