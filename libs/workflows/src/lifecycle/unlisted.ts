import { type TransitionResult, refuse } from './lifecycle.js';

/**
 * The rule of an event that a state does not list: a request is refused, any other event is stale.
 *
 * @param noun the subject, for the refusal: "A payment that is voided cannot be captured."
 * @param words how the refusal of each request ends, by the type of its event.
 */
export function unlistedRule(noun: string, words: Readonly<Partial<Record<string, string>>>) {
  return <State extends { readonly status: string }>(
    state: State,
    event: { readonly type: string },
  ): TransitionResult<State, never, 'not_allowed_in_state'> => {
    const ending = Object.hasOwn(words, event.type) ? words[event.type] : undefined;
    if (ending === undefined) return { kind: 'stale', state };
    return refuse(state, 'not_allowed_in_state', `A ${noun} that is ${state.status} ${ending}.`);
  };
}
