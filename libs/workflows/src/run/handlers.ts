import { ApplicationFailure, type SignalDefinition, setHandler } from '@temporalio/workflow';
import { decideReviewUpdate } from '../contract/review.js';
import type { RunMessage } from '../contract/run.js';
import { isMessage, messagesOnly } from './message.js';

/**
 * Has the run take its signals. Those that came before, with its start or while it read where it stands, were kept by
 * the SDK, and are taken now: name by name, as they are listed.
 */
export function takeSignals<Message>(
  run: { receive(message: Message): void },
  signals: Readonly<Record<string, SignalDefinition<[Message]>>>,
): void {
  for (const signal of Object.values(signals)) {
    setHandler(
      signal,
      messagesOnly(signal.name, (message: Message) => run.receive(message)),
    );
  }
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
