import type {
  Deadline,
  Lifecycle,
  LifecycleState,
  TransitionResult,
} from '#workflows/lifecycle/lifecycle.js';

/** As little as a run needs: a step that moves money, a read, a decision, and lines without a call. */
export interface State extends LifecycleState {
  readonly status: 'idle' | 'busy' | 'done';
  readonly due?: Deadline<Event>;
}

export type Event =
  | { readonly type: 'asked'; readonly commandId: string }
  | { readonly type: 'made'; readonly isLast?: true }
  | { readonly type: 'told'; readonly isNews?: true }
  | { readonly type: 'seen' }
  | { readonly type: 'noted'; readonly reason: string }
  | { readonly type: 'heard' }
  | { readonly type: 'reviewDecided'; readonly commandId: string }
  | { readonly type: 'stepCameDue' }
  | { readonly type: 'readCameDue' };

export type Effect =
  { readonly type: 'perform' } | { readonly type: 'observe' } | { readonly type: 'verifyDecision' };

export const isHint = ({ type }: Event): boolean => type === 'told';

export const lifecycle: Lifecycle<State, Event, Effect> = {
  transition,
  isTerminal: (status) => status === 'done',
  nextDeadline: ({ status, due }) => (status === 'idle' ? due : undefined),
  quiet: new Set(['told', 'seen', 'readCameDue']),
};

function transition(state: State, event: Event): TransitionResult<State, Effect> {
  const { due: _past, ...rest } = state;
  switch (event.type) {
    case 'asked':
    case 'reviewDecided': {
      if (state.status !== 'idle')
        return { kind: 'refused', state, refusal: { code: 'not_allowed_in_state', reason: 'It is busy.' } };
      const effect = { type: event.type === 'asked' ? 'perform' : 'verifyDecision' } as const;
      return { kind: 'moved', state: { ...state, status: 'busy' }, effect };
    }
    case 'stepCameDue':
      return { kind: 'moved', state: { ...rest, status: 'busy' }, effect: { type: 'perform' } };
    case 'readCameDue':
      return { kind: 'moved', state: rest, effect: { type: 'observe' } };
    case 'told':
      return { kind: 'moved', state, effect: { type: 'observe' } };
    case 'made':
      return { kind: 'moved', state: { ...state, status: event.isLast ? 'done' : 'idle' } };
    case 'seen':
      return { kind: 'moved', state };
    case 'noted':
      return { kind: 'moved', state: { ...state, reason: event.reason } };
    case 'heard':
      return { kind: 'stale', state };
  }
}
