import { describe, expect, it } from 'vitest';
import { outcomeOfStep, commandsIn } from '#worker/payments/payment-command-outcomes.js';
import type { TimelineEntry } from '#workflows/lifecycle';
import { captureStep, payment, settled } from '../lifecycle/payment/sample-payments.js';

const timelineEntry = (event: string, more: Partial<TimelineEntry>): TimelineEntry => ({
  version: 3,
  event,
  kind: 'moved',
  from: 'awaiting_approval',
  to: 'awaiting_approval',
  at: 0,
  ...more,
});

describe('a cancellation without a call', () => {
  const cancelled = { kind: 'moved', to: 'cancelled', commandId: 'cmd_5' } as const;

  it('succeeds, and says that the provider was not called', () => {
    expect(commandsIn([timelineEntry('cancelRequested', cancelled)])).toEqual([
      { commandId: 'cmd_5', kind: 'cancel', status: 'succeeded', isUncalled: true },
    ]);
  });

  it.each([
    ['did not end the payment', { to: 'authorizing' }],
    ['contradicts the records', { kind: 'conflict' }],
    ['was asked for by nobody', { commandId: undefined }],
  ] as const)('is no outcome if it %s', (_what, change) => {
    expect(commandsIn([timelineEntry('cancelRequested', { ...cancelled, ...change } as never)])).toEqual([]);
    expect(commandsIn([timelineEntry('approvalTimedOut', cancelled)])).toEqual([]);
  });
});

it('a request is answered also where older records give no reason', () => {
  const refused = timelineEntry('voidRequested', { kind: 'refused', commandId: 'cmd_6' });
  expect(commandsIn([refused])).toMatchObject([{ result: { code: 'not_allowed_in_state', reason: '' } }]);
  const after = settled(payment('capturing'));
  for (const [type, code] of [
    ['stepDeclined', 'provider_refused'],
    ['stepDecidedUndone', 'decided_undone'],
    ['stepProvedUndone', 'provider_unavailable'],
  ] as const)
    expect(outcomeOfStep(captureStep, { type } as never, after)).toMatchObject({
      status: 'failed',
      result: { code, reason: '' },
    });
});

it('a decision that the run did not take is refused, and nothing else', () => {
  const refused = { kind: 'refused', code: 'not_allowed_in_state', detail: 'No review.' } as const;
  const line = timelineEntry('reviewDecided', { ...refused, commandId: 'cmd_9', decision: 'keep' });
  expect(commandsIn([line])).toEqual([
    {
      commandId: 'cmd_9',
      kind: 'decide',
      status: 'refused',
      result: { code: 'not_allowed_in_state', reason: 'No review.' },
    },
  ]);
});
