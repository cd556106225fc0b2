import type { LifecycleEvent } from '../lifecycle/lifecycle.js';

/** Whether the read for one hint also answers another hint. News is read once more later; a check is not. */
export function isAnsweredWith(taken: LifecycleEvent, waiting: LifecycleEvent): boolean {
  return waiting.isNews !== true || taken.isNews === true;
}

/** Keeps one hint of all: the one whose read answers the others, too. */
export function withOneHint<Message extends { readonly event: LifecycleEvent }>(
  messages: readonly Message[],
  isHint: (message: Message) => boolean,
): Message[] {
  const hints = messages.filter(isHint);
  const kept = hints.find(({ event }) => event.isNews === true) ?? hints[0];
  return messages.filter((message) => message === kept || !isHint(message));
}
