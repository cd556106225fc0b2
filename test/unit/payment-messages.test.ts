import { expect, it } from 'vitest';
import { paymentRuns } from '#worker/reconciliation/payment-runs.js';
import { commandsIn } from '#worker/payments/payment-command-outcomes.js';
import type { CommandRow } from '#database/schema';
import { subscriptionRuns } from '#worker/reconciliation/subscription-runs.js';
import type { TimelineEntry } from '#workflows/lifecycle';
import { paymentStatuses, transition } from '#workflows/lifecycle/payment';
import {
  subscriptionStatuses,
  transition as subscriptionTransition,
} from '#workflows/lifecycle/subscription';
import { inDoubt, now, payment } from '../lifecycle/payment/sample-payments.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';

const command: CommandRow = {
  id: 'cmd_1',
  environment: 'sandbox',
  application: 'shop',
  idempotency_key: 'key',
  body_hash: '',
  kind: 'cancel',
  subject_id: 'pay_1',
  parameters: {},
  status: 'accepted',
  result: null,
  requested_by: 'test',
  created_at: new Date(0),
  updated_at: new Date(0),
};

it.each([
  ['cancel', 'cancelRequested'],
  ['void', 'voidRequested'],
  ['release', 'releaseRequested'],
  ['reauthorize', 'reauthorizeRequested'],
  ['capture', 'captureRequested'],
] as const)('a new run gets a %s that was accepted in between', (kind, type) => {
  expect(paymentRuns.messageOf({ ...command, kind })).toEqual({
    id: 'cmd_1',
    event: { type, commandId: 'cmd_1' },
  });
});

it('a run is told again of its payer’s cancellation in each state in which it takes that', () => {
  const rules = { rules: 2, endsUnsent: true } as const;
  const reviewed = { ...inDoubt(payment('authorizing', rules)), status: 'needs_review' } as const;
  const taking = paymentStatuses.filter((status) => {
    const state = status === 'needs_review' ? reviewed : payment(status, rules);
    return transition(state, { type: 'payerCancelled' }, now).kind === 'moved';
  });
  expect(new Set(paymentRuns.cancellable)).toEqual(new Set(taking));
  const { cancellable } = subscriptionRuns;
  const event = { type: 'payerCancelled' } as const;
  const order = { ...subscription('executing').order, ...rules };
  const asked = { ...subscription('executing', { order }), status: 'needs_review' } as const;
  const taken = subscriptionStatuses.filter((status) => {
    const state = status === 'needs_review' ? asked : subscription(status);
    return subscriptionTransition(state, event, now).kind === 'moved';
  });
  expect(new Set(cancellable)).toEqual(new Set(taken));
});

it('a cancellation has succeeded once it has ended the payment, and is refused otherwise', () => {
  const entry: TimelineEntry = {
    version: 2,
    event: 'cancelRequested',
    kind: 'moved',
    from: 'awaiting_approval',
    to: 'cancelled',
    at: 0,
    commandId: 'cmd_1',
  };
  const named = { commandId: 'cmd_1', kind: 'cancel' };
  expect(commandsIn([entry])).toEqual([{ ...named, status: 'succeeded', isUncalled: true }]);
  const refused = { ...entry, kind: 'refused', from: 'authorizing', to: 'authorizing' } as const;
  expect(commandsIn([refused])).toMatchObject([{ ...named, status: 'refused' }]);
});
