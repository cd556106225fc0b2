import { expect } from 'vitest';
import {
  amountsOf,
  nameOfStep,
  type OpenStep,
  type PaymentState,
  isSale,
  isTerminal,
  transition,
  allowedActions,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import type { Instant } from '#workflows/lifecycle';
import type { ModelProvider } from './model-provider.js';

/** What is promised of every payment, whatever has happened to it. */

export function expectPromisesKept(state: PaymentState, provider: ModelProvider, now: Instant): void {
  const { authorized, captured, pending, capturable } = amountsOf(state);
  const ordered = state.order.amount.minor;
  expect(provider.moved, 'the books show more than was authorized').toBeLessThanOrEqual(
    Math.max(ordered, provider.mostAsked),
  );
  expect(provider.moved, 'more than the provider allows').toBeLessThanOrEqual(ordered * 1.15);
  expect(captured + pending + capturable).toBeLessThanOrEqual(isSale(state.order) ? ordered : authorized);
  expect(captured, 'more is called captured than the books show').toBeLessThanOrEqual(provider.captured);
  expect(state.openStep?.phase, 'an answered step runs on').not.toBe('running');
  if (!isTerminal(state.status)) expect(nextDeadline(state), 'a payment is forgotten').toBeDefined();
  expectActionsToBeTaken(state, provider, now);
}

export function expectNeverSentNorStillUnderWay(
  { posts }: ModelProvider,
  openStep: OpenStep,
  now: Instant,
): void {
  for (const post of posts) {
    if (post.step !== nameOfStep(openStep)) continue;
    expect(post.isDone, 'a step is sent again although it was done').toBe(false);
    expect(post.lateAt, 'a step is sent again although it may still be done').toSatisfy(
      (at: Instant | undefined) => at === undefined || at <= now,
    );
  }
}

function expectActionsToBeTaken(state: PaymentState, { moved }: ModelProvider, now: Instant): void {
  const allowed = allowedActions(state, now);
  const capture = transition(state, { type: 'captureRequested', commandId: '', minor: 1 }, now);
  const voiding = transition(state, { type: 'voidRequested', commandId: 'ask' }, now);
  expect(allowed.includes('capture')).toBe(capture.kind === 'moved');
  expect(allowed.includes('void')).toBe(voiding.kind === 'moved');
  expect(capture.kind === 'moved' || capture.kind === 'refused').toBe(true);
  expect(voiding.kind === 'moved' || voiding.kind === 'refused').toBe(true);
  const release = transition(state, { type: 'releaseRequested', commandId: 'ask' }, now);
  const renewal = transition(state, { type: 'reauthorizeRequested', commandId: 'ask' }, now);
  expect(allowed.includes('release')).toBe(release.kind === 'moved');
  expect(allowed.includes('reauthorize')).toBe(renewal.kind === 'moved');
  const cancelling = transition(state, { type: 'cancelRequested', commandId: 'ask' }, now);
  expect(allowed.includes('cancel')).toBe(cancelling.kind === 'moved' && moved === 0);
}
