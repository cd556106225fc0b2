import { log } from '@temporalio/workflow';
import type { RunMessage } from '../contract/run.js';

/**
 * True for a message as the engine sends it. Its event must be one that its signal or Update brings: otherwise a foreign
 * signal could carry an event that only the provider's answer may cause. A payload that cannot be decrypted arrives as
 * null.
 */
export function isMessage(
  message: unknown,
  brings: (event: { readonly type?: unknown }) => boolean,
): message is RunMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { id, event } = message as {
    readonly id?: unknown;
    readonly event?: { readonly type?: unknown } | null;
  };
  return typeof id === 'string' && !!event && brings(event);
}

/** @param receive gets messages only. Anything else is logged for operators and ignored. */
export function messagesOnly<Message>(
  name: string,
  receive: (message: Message) => void,
): (message: Message) => void {
  return (message) => {
    if (isMessage(message, ({ type }) => type === name)) receive(message);
    else
      log.error(
        'a run ignored a signal that is not a message of the engine: check who can write to Temporal',
      );
  };
}
