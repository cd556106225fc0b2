/** One lifecycle as a walk of all its states needs it. */
export interface Explored<State extends { readonly status: string }, Event> {
  readonly starts: readonly State[];
  /** What can happen to any state; what a state does not take, its table leaves out. */
  readonly events: readonly Event[];
  /** Instants in order: a walk never goes back in time. */
  readonly instants: readonly number[];
  readonly transition: (state: State, event: Event, now: number) => { readonly state: State };
  /** What two states that continue in the same way have in common. */
  readonly likeness: (state: State) => unknown;
}

export const start = '[*]';

/** @returns every arrow `from --> to` between two statuses that the transition function takes, the first ones from `[*]`. */
export function arrowsTaken<State extends { readonly status: string }, Event>({
  starts,
  events,
  instants,
  transition,
  likeness,
}: Explored<State, Event>): Set<string> {
  const arrows = new Set(starts.map(({ status }) => arrow(start, status)));
  const seen = new Set<string>();
  const waiting: { readonly state: State; readonly at: number }[] = [];
  const visit = (state: State, at: number): void => {
    const name = JSON.stringify([at, likeness(state)]);
    if (seen.has(name)) return;
    seen.add(name);
    waiting.push({ state, at });
  };
  for (const state of starts) visit(state, 0);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.at + 1 < instants.length) visit(next.state, next.at + 1);
    for (const event of events) {
      const { state } = transition(next.state, event, instants[next.at]!);
      if (state.status !== next.state.status) arrows.add(arrow(next.state.status, state.status));
      if (state !== next.state) visit(state, next.at);
    }
  }
  return arrows;
}

export function arrow(from: string, to: string): string {
  return `${from} --> ${to}`;
}
