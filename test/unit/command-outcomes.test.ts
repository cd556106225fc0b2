import { describe, expect, it } from 'vitest';
import { outcomeOfStep, commandsIn } from '#worker/payments/payment-command-outcomes.js';
import type { TimelineEntry } from '#workflows/lifecycle';
import {
  capture,
  captureStep,
  inDoubt,
  payment,
  reauthorizeStep,
  settled,
  toBeRepeated,
} from '../lifecycle/payment/sample-payments.js';

const capturing = payment('capturing');
const voidStep = { type: 'voidAuthorization', commandId: 'cmd_2' } as const;

const answered = (status: 'completed' | 'pending' | 'denied') =>
  outcomeOfStep(
    captureStep,
    { type: 'captureAnswered', capture: capture(60_00, { status }) },
    payment('captured'),
  );

describe('what the order service is told of its capture', () => {
  it('is that it succeeded, with the capture that it made, even while it is pending at the provider', () => {
    expect(answered('completed')).toMatchObject({
      commandId: 'cmd_2',
      kind: 'capture',
      status: 'succeeded',
      result: { captureId: 'CAP-1', captureStatus: 'completed' },
    });
    expect(answered('pending')).toMatchObject({ status: 'succeeded', result: { captureStatus: 'pending' } });
  });

  it('is that it failed when the provider denied it', () => {
    expect(answered('denied')).toMatchObject({ status: 'failed', result: { captureId: 'CAP-1' } });
  });

  it('is why the provider refused it', () => {
    const refused = { type: 'stepDeclined', reason: 'The provider refused it.' } as const;
    expect(outcomeOfStep(captureStep, refused, payment('partially_captured'))).toMatchObject({
      status: 'failed',
      result: { code: 'provider_refused', reason: 'The provider refused it.' },
    });
  });

  it.each([
    ['in doubt', { type: 'outcomeUnknown', horizonAt: 1 }, inDoubt(capturing)],
    ['put off', { type: 'stepDeferred', retryAt: 1 }, toBeRepeated(capturing)],
    ['looked up without a result', { type: 'lookInconclusive' }, inDoubt(capturing)],
    ['proved undone and sent again', { type: 'stepProvedUndone' }, capturing],
  ] as const)('is that it is under way while it is %s', (_what, event, after) => {
    expect(outcomeOfStep(captureStep, event, after)).toMatchObject({ status: 'executing' });
  });

  it('is that the provider was down when the payment has given the capture up', () => {
    const reason = 'It is proved that the capture did not happen.';
    const after = { ...settled(capturing), reason };
    expect(outcomeOfStep(captureStep, { type: 'stepProvedUndone' }, after)).toMatchObject({
      status: 'failed',
      result: { code: 'provider_unavailable', reason },
    });
  });
});

it('a reauthorization that was not sent, because others have captured since, is told as such', () => {
  const reason = 'Somebody else has captured.';
  const event = { type: 'stepDeclined', reason, isOutdated: true } as const;
  expect(outcomeOfStep(reauthorizeStep, event, payment('authorized'))).toEqual({
    commandId: 'cmd_2',
    kind: 'reauthorize',
    status: 'failed',
    result: { code: 'not_allowed_in_state', reason },
  });
});

describe('every other step', () => {
  it.each([
    ['a void', voidStep, { type: 'voidConfirmed' }, 'void', 'cmd_2'],
    [
      'the order itself',
      { type: 'createPayment' },
      { type: 'paymentCreated', providerPaymentId: 'PAY-1', approvalUrl: 'https://pay.example' },
      'create',
      'pay_1:order',
    ],
  ] as const)('succeeds for its command: %s', (_what, step, event, kind, commandId) => {
    expect(outcomeOfStep(step, event, payment('authorized'))).toEqual({
      commandId,
      kind,
      status: 'succeeded',
    });
  });

  it('has no command where the payer asked for it', () => {
    const step = { type: 'executePayment', payerId: 'PAYER-1' } as const;
    expect(outcomeOfStep(step, { type: 'stepProvedUndone' }, payment('authorizing'))).toBeUndefined();
  });
});

describe('commands that the run refused', () => {
  const entry: TimelineEntry = {
    version: 3,
    event: 'voidRequested',
    kind: 'refused',
    from: 'captured',
    to: 'captured',
    at: 0,
    code: 'not_allowed_in_state',
    detail: 'A payment that is captured cannot be voided.',
    commandId: 'cmd_3',
  };

  it('are refused, each with its kind and reason', () => {
    expect(commandsIn([entry, { ...entry, event: 'captureRequested', commandId: 'cmd_4' }])).toEqual([
      {
        commandId: 'cmd_3',
        kind: 'void',
        status: 'refused',
        result: { code: 'not_allowed_in_state', reason: entry.detail },
      },
      expect.objectContaining({ commandId: 'cmd_4', kind: 'capture', status: 'refused' }),
    ]);
  });

  it('exclude what moved the payment, and what nobody asked for', () => {
    const { commandId: _nobody, ...unasked } = entry;
    expect(commandsIn([{ ...entry, kind: 'moved' }, unasked])).toEqual([]);
  });

  it.each(['pay_1:order', 'pay_1:capture-policy'])(
    'exclude %s, which no accepted request is named by: the order may be carried out already',
    (commandId) => {
      expect(commandsIn([{ ...entry, from: 'creating', to: 'creating', commandId }])).toEqual([]);
    },
  );
});

const timelineEntry = (event: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  version: 3,
  event,
  kind: 'moved',
  from: 'needs_review',
  to: 'needs_review',
  at: 0,
  ...more,
});
const said = (decision: string) => timelineEntry('reviewDecided', { commandId: 'cmd_9', decision });
const reported = (...timeline: TimelineEntry[]) =>
  commandsIn(timeline).find(({ commandId }) => commandId === 'cmd_9');

describe('what an operator is told of a decision', () => {
  it.each([
    ['happened', 'captureAnswered'],
    ['did_not_happen', 'stepDecidedUndone'],
    ['did_not_happen', 'stepDeclined'],
  ])('%s, is that it is final when %s has followed', (decision, event) => {
    expect(reported(said(decision), timelineEntry(event))).toEqual({
      commandId: 'cmd_9',
      kind: 'decide',
      status: 'succeeded',
    });
  });

  it.each([
    ['happened', 'stepDecidedUndone'],
    ['happened', 'stepDeclined'],
    ['did_not_happen', 'captureAnswered'],
  ])('%s, is that the provider has shown the contrary when %s has followed', (decision, event) => {
    expect(reported(said(decision), timelineEntry(event))).toEqual({
      commandId: 'cmd_9',
      kind: 'decide',
      status: 'refused',
      result: {
        code: 'contradicted_by_provider',
        reason: 'The provider has shown the opposite meanwhile.',
      },
    });
  });

  it('is nothing final before anything has followed', () => {
    expect(reported(said('happened'))).toMatchObject({ kind: 'decide', status: 'executing' });
  });

  it('is at once that an amount is kept; a void is reported with its step', () => {
    expect(reported(said('keep'))).toEqual({
      commandId: 'cmd_9',
      kind: 'decide',
      status: 'succeeded',
      isUncalled: true,
    });
    expect(commandsIn([said('void'), timelineEntry('voidConfirmed')])).toEqual([]);
  });

  it('is why it was refused, by the entry that refused it', () => {
    const refused = timelineEntry('decisionRefused', {
      kind: 'refused',
      commandId: 'cmd_9',
      code: 'too_early',
      detail: 'not yet',
    });
    expect(commandsIn([said('happened'), refused])).toEqual([
      {
        commandId: 'cmd_9',
        kind: 'decide',
        status: 'refused',
        result: { code: 'too_early', reason: 'not yet' },
      },
    ]);
  });

  it('is nothing when it was not accepted, or nobody is known to have decided', () => {
    const { commandId: _nobody, ...unasked } = said('happened');
    expect(commandsIn([unasked, timelineEntry('captureAnswered')])).toEqual([]);
    expect(
      commandsIn([timelineEntry('captureAnswered', { commandId: 'cmd_9' }), timelineEntry('stepDeclined')]),
    ).toEqual([]);
  });
});

it('a capture that an operator has decided undone is reported as that, with the reason', () => {
  const event = { type: 'stepDecidedUndone', reason: 'An operator has decided.' } as const;
  expect(outcomeOfStep(captureStep, event, payment('partially_captured'))).toMatchObject({
    commandId: 'cmd_2',
    status: 'failed',
    result: { code: 'decided_undone', reason: 'An operator has decided.' },
  });
});
