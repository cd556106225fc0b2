import { expect, it } from 'vitest';
import { type TimelineEntry, advance, isRequest, undoRequest } from '#workflows/lifecycle';
import { subscriptionLifecycle } from '#workflows/lifecycle/subscription';
import { now, sampleEvents, subscription } from './subscription/sample-subscriptions.js';

const line = (event: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  version: 5,
  event,
  kind: 'moved',
  from: 'active',
  to: 'active',
  at: now,
  ...more,
});

it.each([
  ['a request of a caller', line('cancelRequested'), true],
  ['whatever names a command', line('stepBegan', { commandId: 'cmd_1' }), true],
  ['the cancellation of a payer', line('payerCancelled'), true],
  ['a request that was refused', line('cancelRequested', { kind: 'refused', commandId: 'cmd_1' }), false],
  ['the approval of a payer', line('payerApproved'), false],
  ['a read', line('agreementObserved'), false],
])('a change needs somebody who has accepted it, and nothing else does: %s', (_what, entry, needs) => {
  expect(isRequest(entry)).toBe(needs);
});

it('a request that is undone leaves its subject where it was, and a line that says why', () => {
  const request = line('reviewDecided', { commandId: 'cmd_2', decision: 'happened', to: 'suspended' });
  const before = { state: subscription('needs_review'), version: 5 };
  const undone = {
    version: 6,
    event: 'reviewDecided',
    from: 'needs_review',
    to: 'needs_review',
    at: now,
    commandId: 'cmd_2',
  };
  expect(undoRequest(before, request, 'notAccepted')).toEqual({
    position: { ...before, version: 6 },
    entry: {
      ...undone,
      kind: 'conflict',
      detail: 'No accepted request stands behind it: nothing was done.',
    },
  });
  expect(undoRequest(before, request, 'refusedBefore').entry).toEqual({
    ...undone,
    kind: 'refused',
    detail: 'It was refused already, and its caller told so: nothing was done.',
  });
});

const lineOf = (
  state: ReturnType<typeof subscription>,
  event: (typeof sampleEvents)[keyof typeof sampleEvents],
) => advance(subscriptionLifecycle, { state, version: 4 }, event, now).entry;

it('a line has the command and the decision that caused it, and no others', () => {
  expect(lineOf(subscription('needs_review'), sampleEvents.reviewDecided)).toMatchObject({
    version: 5,
    commandId: 'cmd_2',
    decision: 'happened',
  });
  const observed = lineOf(subscription('active'), sampleEvents.agreementObserved);
  expect(Object.keys(observed ?? {}).toSorted()).toEqual([
    'at',
    'detail',
    'event',
    'from',
    'kind',
    'to',
    'version',
  ]);
});

it('a quiet event has a line only when the status changes, and then with the reason that is new', () => {
  const { payerCancelled, payerApproved } = sampleEvents;
  expect(lineOf(subscription('executing'), payerCancelled)).toBeUndefined();
  expect(lineOf(subscription('awaiting_approval'), payerCancelled)).toMatchObject({
    to: 'cancelled',
    detail: 'The payer cancelled.',
  });
  expect(lineOf(subscription('active'), { ...sampleEvents.providerNotified, isCheck: true })).toBeUndefined();
  const told = subscription('executing', { reason: 'It was told before.' });
  expect(lineOf(told, payerApproved)).not.toHaveProperty('detail');
});
