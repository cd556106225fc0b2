import { expect, it } from 'vitest';
import { decisions } from '#worker/steps/activities/command-outcomes.js';
import type { TimelineEntry } from '#workflows/lifecycle';

const line = (version: number, event: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  version,
  event,
  kind: 'moved',
  from: 'needs_review',
  to: 'needs_review',
  at: 0,
  ...more,
});

it.each(['stepDecidedUndone', 'stepDeclined', 'approvalFoundMissing', 'reauthorizationTooSoon'])(
  'the decision that a step did not happen succeeds when what is on record is %s',
  (event) => {
    // Recorded by a worker that lost its task: the provider had refused the call (step-record.ts, `resume`).
    const decided = line(7, 'reviewDecided', { commandId: 'cmd_1', decision: 'did_not_happen' });
    const shown = line(8, event, { to: 'awaiting_approval' });
    expect(decisions([decided, shown])).toMatchObject([{ commandId: 'cmd_1', status: 'succeeded' }]);
  },
);
