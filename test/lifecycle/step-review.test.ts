import { expect, it } from 'vitest';
import { decideReview, describeDecision } from '#workflows/lifecycle/step/review.js';

const underReview = { status: 'needs_review', openStep: {} };
const decided = { commandId: 'cmd_1', decision: 'happened', reason: 'seen in its books' } as const;

it('an operator’s decision about a step is checked at the provider before anything changes', () => {
  expect(decideReview(underReview, { type: 'reviewDecided', ...decided })).toEqual({
    kind: 'moved',
    state: underReview,
    effect: { type: 'verifyDecision', decided },
  });
});

it.each([
  ['a word that says nothing about a step', underReview, { ...decided, decision: 'void' as never }],
  ['a decision where no step is open', { status: 'needs_review' }, decided],
  ['a decision about an earlier step', { ...underReview, openStep: { number: 2 } }, { ...decided, step: 1 }],
])('refuses %s', (_what, state, said) => {
  const taken = decideReview(state, { type: 'reviewDecided', ...said });
  expect(taken).toMatchObject({ kind: 'refused', state, refusal: { code: 'not_allowed_in_state' } });
});

it('an operator’s decision is told with its reason, and with whether the provider has confirmed it', () => {
  expect(describeDecision(decided)).toBe('happened: seen in its books');
  expect(describeDecision({ ...decided, isUnverified: true })).toBe(
    'happened (on the operator’s word, where the provider cannot be read): seen in its books',
  );
});
