import { log } from '@temporalio/workflow';
import type { RunMessage } from '../contract/run.js';

/**
 * True for a message as the engine sends it. Its event bears the name of what brought it: otherwise anybody's signal could
 * say what the provider alone can have answered. What could not be decrypted comes as nothing.
 */
export function isMessage(message: unknown, name: string): message is RunMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { id, event } = message as {
    readonly id?: unknown;
    readonly event?: { readonly type?: unknown } | null;
  };
  return typeof id === 'string' && event?.type === name;
}

/** @param receive is given messages only; anything else is told to operators, and left out. */
export function messagesOnly<Message>(
  name: string,
  receive: (message: Message) => void,
): (message: Message) => void {
  return (message) => {
    if (isMessage(message, name)) receive(message);
    else log.error('something that is no message of the engine was sent to a run, and left out');
  };
}
