import { describe, expect, it, vi } from 'vitest';
import { advance } from '#workflows/lifecycle';
import { type PaymentEvent, type PaymentState, paymentLifecycle } from '#workflows/lifecycle/payment';
import { now, payment, performing } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { doubted } from './sample-attempts.js';

const { StepStand, onlyAccepted } = steps;

const captureRequested = { type: 'captureRequested', commandId: 'cmd_2', minor: 60_00 } as const;
const policyStep = {
  type: 'captureAuthorization',
  commandId: 'pay_1:policy',
  minor: 60_00,
  final: true,
} as const;
const lineOf = ({ timeline }: InstanceType<typeof StepStand>) => timeline.at(-1);

/** A payment whose run has taken a request, which is not in the rows yet. */
function requested(event: PaymentEvent, state: PaymentState = payment('authorized')) {
  const before = { state, version: 3 };
  const { position, entry } = advance(paymentLifecycle, before, event, now);
  if (!entry) throw new Error(`${event.type} is not taken`);
  return new StepStand(position.state, { before, timeline: [entry] });
}

/** Asks for an activity. @returns its result, and whether it acted. */
async function act(stand: InstanceType<typeof StepStand>, ...others: unknown[]) {
  const activity = vi.fn(async (..._given: unknown[]): Promise<unknown> => 'done');
  const result = await onlyAccepted(stand.work, { activity }).activity(stand.input, ...others);
  return { result, given: activity.mock.calls };
}

/** Nothing was done, and the payment stands where it stood. */
async function isRefused(stand: InstanceType<typeof StepStand>, others: readonly unknown[] = []) {
  const { status, state } = stand.payment;
  const { result, given } = await act(stand, ...others);
  expect(given).toEqual([]);
  expect(result).toMatchObject({ event: { type: 'stepDeclined' }, at: stand.now, isUnfounded: true });
  expect(stand.payment).toEqual({ status, state, version: 4 });
  expect(stand.announced).toEqual(['pay_1']);
  return result;
}

describe('a request with an accepted row', () => {
  it('is carried out, with all that its activity is given', async () => {
    const stand = requested(captureRequested);
    stand.acceptAs({ kind: 'capture', parameters: { minor: 60_00 } });
    expect(await act(stand, 'hint')).toEqual({ result: 'done', given: [[stand.input, 'hint']] });
    expect(stand.announced).toEqual([]);
  });

  it('is carried out also if it only ends the payment, and calls nobody', async () => {
    const stand = requested({ type: 'cancelRequested', commandId: 'cmd_2' }, payment('awaiting_approval'));
    stand.acceptAs({ kind: 'cancel' });
    expect(await act(stand)).toMatchObject({ result: 'done' });
  });

  it('is also a payer’s cancellation if the payment’s row says that the payer came back to cancel', async () => {
    const stand = requested({ type: 'payerCancelled' }, payment('awaiting_approval'));
    stand.rows.payerCancelled.add('pay_1');
    expect(await act(stand)).toMatchObject({ result: 'done' });
  });
});

describe('a request without an accepted row', () => {
  it.each([
    ['asks for another amount', { kind: 'capture', parameters: { minor: 50_00 } }],
    ['asks for something else', { kind: 'void', parameters: { minor: 60_00 } }],
    ['is about another payment', { kind: 'capture', parameters: { minor: 60_00 }, subjectId: 'pay_2' }],
  ] as const)('is not carried out if the row %s', async (_what, row) => {
    const stand = requested(captureRequested);
    stand.acceptAs(row);
    expect(await isRefused(stand)).not.toHaveProperty('wasRefused');
    expect(lineOf(stand)).toMatchObject({ event: 'captureRequested', kind: 'conflict', to: 'authorized' });
    expect(stand.command).toMatchObject({ status: 'accepted' });
  });

  it('is not carried out if there is none', async () => {
    const stand = requested({ ...captureRequested, commandId: 'cmd_forged' });
    expect(await isRefused(stand)).toMatchObject({
      event: { reason: 'No accepted request stands behind it: nothing was done.' },
    });
  });

  it('is not undone in the row by a task that was given up, once a newer one has written', async () => {
    const stand = requested({ ...captureRequested, commandId: 'cmd_forged' });
    stand.writeElsewhere({ taskStartedAt: stand.now + 1 });
    await expect(act(stand)).rejects.toBeInstanceOf(steps.LateTaskError);
    expect(stand.payment).toMatchObject({ status: 'authorized', version: 3 });
    expect(stand.timeline).toEqual([]);
  });

  it('is not carried out if no payer came back to cancel', async () => {
    const stand = requested({ type: 'payerCancelled' }, payment('awaiting_approval'));
    await isRefused(stand);
    expect(lineOf(stand)).toMatchObject({ event: 'payerCancelled', kind: 'conflict' });
  });

  it('is not carried out if it names no command', async () => {
    const { commandId: _none, ...unnamed } = captureRequested;
    const stand = requested(unnamed as never);
    await isRefused(stand);
    expect(lineOf(stand)).toMatchObject({ kind: 'conflict' });
  });

  it('is not carried out if its row asks for more than is held, whatever state the run claims', async () => {
    const stand = requested(captureRequested);
    stand.acceptAs({ kind: 'capture', parameters: { minor: 500_00 } });
    Object.assign(stand.input, { state: payment('authorized') });
    await isRefused(stand);
  });

  it('is not carried out if it names a command and is no request', async () => {
    const stand = requested(captureRequested);
    stand.acceptAs({ kind: 'capture', parameters: { minor: 60_00 } });
    const timeline = stand.input.timeline.map((line) => ({ ...line, event: 'captureCameDue' }));
    Object.assign(stand.input, { timeline });
    await isRefused(stand);
  });
});

it('a request that was refused before stays refused, and its run is told so', async () => {
  const stand = requested(captureRequested);
  stand.acceptAs({ kind: 'capture', parameters: { minor: 60_00 } });
  stand.rows.commands.refuse('cmd_2', { code: 'not_allowed_in_state' });
  expect(await isRefused(stand)).toMatchObject({ wasRefused: true });
  expect(lineOf(stand)).toMatchObject({ event: 'captureRequested', kind: 'refused' });
});

describe('a decision', () => {
  const decided = { commandId: 'cmd_2', decision: 'happened', reason: 'Seen.' } as const;
  const inReview = () =>
    requested({ type: 'reviewDecided', ...decided }, doubted(now, { status: 'needs_review' }));

  it('is verified as it was accepted, also after a worker that lost its task has refused it', async () => {
    const stand = inReview();
    const { commandId: _own, ...parameters } = decided;
    stand.acceptAs({ kind: 'decide', parameters });
    expect(await act(stand, { ...decided })).toMatchObject({ result: 'done' });
    stand.rows.commands.refuse('cmd_2', { code: 'too_early' });
    expect(await act(stand, 'other', { ...decided })).toMatchObject({ result: 'done' });
  });

  it('is not verified as another one than was accepted', async () => {
    const stand = inReview();
    const { commandId: _own, ...parameters } = decided;
    stand.acceptAs({ kind: 'decide', parameters });
    await isRefused(stand, [{ ...decided, decision: 'did_not_happen' }]);
    expect(lineOf(stand)).toMatchObject({ event: 'reviewDecided', kind: 'conflict' });
    expect(lineOf(stand)).not.toHaveProperty('decision');
  });
});

describe('what nobody has requested', () => {
  it.each([
    ['an open one', payment('authorized')],
    ['the payer’s', payment('authorizing')],
    ['a policy’s', performing(payment('authorized'), policyStep)],
  ])('passes without a row: %s', async (_what, state) => {
    expect(await act(new StepStand(state))).toMatchObject({ result: 'done' });
  });

  it('begins a refund with an accepted request alone', async () => {
    const stand = new StepStand(payment('capturing'), { kind: 'refund' });
    const writer = {
      ...stand.work.writer,
      commandOf: () => ({ commandId: 'cmd_2', kind: 'refund' }) as const,
    };
    const { refund } = onlyAccepted({ ...stand.work, writer }, { refund: async (_given: unknown) => 'done' });
    expect(await refund(stand.input)).toBe('done');
    stand.acceptAs({ kind: 'capture' });
    await expect(refund(stand.input)).rejects.toThrow('This run has no accepted order.');
  });

  it('passes, and so does what is asked about an identity alone', async () => {
    expect(await act(new StepStand(payment('capturing')))).toMatchObject({ result: 'done' });
    const { work, input } = new StepStand(payment('captured'));
    for (const identity of [input.identity, null, 'pay_1']) {
      const findEnded = vi.fn(async (..._given: unknown[]) => 'found');
      expect(await onlyAccepted(work, { findEnded }).findEnded(identity)).toBe('found');
    }
  });

  it.each([
    ['an accepted order', { id: 'pay_1:order', kind: 'create', subjectId: 'pay_1' }, true],
    ['no order', { id: 'another', kind: 'create', subjectId: 'pay_1' }, false],
    ['an order of another payment', { id: 'pay_1:order', kind: 'create', subjectId: 'pay_2' }, false],
    ['a command that is no order', { id: 'pay_1:order', kind: 'capture', subjectId: 'pay_1' }, false],
  ] as const)('begins a run with %s', async (_what, command, isOrdered) => {
    const stand = new StepStand(payment('creating'));
    stand.rows.commands.accept(command);
    if (isOrdered) expect(await act(stand)).toMatchObject({ result: 'done' });
    else
      await expect(act(stand)).rejects.toMatchObject({
        message: 'This run has no accepted order.',
        type: 'unfounded',
      });
  });

  it.each([
    ['its order was carried out in part', { attempts: 1 }],
    ['its creation is looked up', { phase: 'doubt' }],
  ] as const)('continues a run of which %s, whatever is left of its rows', async (_what, change) => {
    const { openStep, ...state } = payment('creating');
    const stand = new StepStand({
      ...state,
      openStep: openStep && { ...openStep, ...change },
    } as PaymentState);
    expect(await act(stand)).toMatchObject({ result: 'done' });
  });
});
