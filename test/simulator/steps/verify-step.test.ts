import { describe, expect, it, vi } from 'vitest';
import { now } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { answered, captured, deferred, doubted, undone, unknownUntil } from './sample-attempts.js';

const { StepStand } = steps;
const reason = 'The bank says so.';

type Said = 'happened' | 'did_not_happen';
const word = (decision: Said, isUnverified = false) => ({
  commandId: 'cmd_9',
  decision,
  reason,
  resourceId: 'CAP-9',
  isUnverified,
});
const decidedUndone = {
  type: 'stepDecidedUndone',
  reason: `An operator has decided that it did not happen: ${reason}`,
};

/** A capture in review about which an operator has decided. */
function reviewed(
  decision: Said,
  recorded: Parameters<InstanceType<typeof StepStand>['madeBefore']>[1],
  attempts = 0,
) {
  const status = 'needs_review';
  const lines = [
    { version: 4, event: 'reviewDecided', kind: 'moved', from: status, to: status, at: now } as const,
  ].map((line) => ({ ...line, commandId: 'cmd_9', decision }));
  const stand = new StepStand(doubted(now, { status, attempts }), { timeline: lines });
  stand.rows.commands.accept({ id: 'cmd_9', kind: 'decide', subjectId: 'pay_1' });
  stand.madeBefore(0, recorded);
  return stand;
}

type Reviewed = ReturnType<typeof reviewed>;
const decision = (stand: Reviewed) => stand.rows.commands.get('cmd_9');
const inDoubt = unknownUntil(now);

describe('a decision that the provider confirms', () => {
  it('that it happened ends the step with what the provider shows', async () => {
    const stand = reviewed('happened', inDoubt);
    stand.calls.push({ operation: 'find', status: 200 } as never);
    const outcome = await stand.verify(word('happened'), { shown: () => captured });
    expect(outcome).toEqual({ event: captured, at: now });
    expect(stand.lookups).toEqual([stand.attempts.map(({ reference }) => reference)]);
    expect(stand.attempts).toMatchObject([answered]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
    expect(stand.command).toMatchObject({ status: 'succeeded', result: { captureId: 'CAP-2' } });
    expect(decision(stand)).toMatchObject({ status: 'succeeded' });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 200 }]);
  });

  it('that it happened is shown by the resource that the operator has named', async () => {
    const stand = reviewed('happened', inDoubt);
    const readNamed = vi.fn(async () => ({ kind: 'found', event: captured }) as const);
    expect(await stand.verify(word('happened'), { readNamed })).toMatchObject({ event: captured });
    const { openStep } = stand.input.state;
    expect(readNamed.mock.calls).toEqual([
      [openStep?.step, 'CAP-9', [expect.objectContaining({ attempt_number: 0 })]],
    ]);
  });

  it('that it did not happen ends the step without a repeat', async () => {
    const stand = reviewed('did_not_happen', inDoubt);
    const outcome = await stand.verify(word('did_not_happen'), { shown: () => 'absent' });
    expect(outcome).toMatchObject({ event: decidedUndone });
    expect(stand.attempts).toMatchObject([{ outcome: 'undone', event: decidedUndone }]);
    expect(stand.payment.state.openStep).toBeUndefined();
    expect(stand.command).toMatchObject({ status: 'failed', result: { code: 'decided_undone' } });
    expect(decision(stand)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a decision that it did not happen', () => {
  const declined = { type: 'stepDeclined', reason: 'The authorization is captured.' } as const;

  it.each([
    ['absent', 'absent', captured, 'contradicted_by_provider'],
    ['excluded', declined, captured, 'contradicted_by_provider'],
    ['absent', 'absent', 'unreadable', 'cannot_be_verified'],
  ] as const)('is refused if only one of two reads shows it as %s', async (_what, first, second, code) => {
    const stand = reviewed('did_not_happen', inDoubt);
    const reads = [first, second];
    const { event } = await stand.verify(word('did_not_happen'), { shown: () => reads.shift() ?? second });
    expect(event).toMatchObject({ type: 'decisionRefused', code });
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt' });
    expect(stand.command).toMatchObject({ status: 'accepted' });
  });
});

describe('a decision that the provider does not confirm', () => {
  it.each([
    ['happened', 'absent', 'contradicted_by_provider'],
    ['happened', 'unreadable', 'cannot_be_verified'],
    ['did_not_happen', captured, 'contradicted_by_provider'],
    ['did_not_happen', 'unreadable', 'cannot_be_verified'],
  ] as const)('(%s; it shows %s) is refused, and the review goes on', async (said, shown, code) => {
    const stand = reviewed(said, inDoubt);
    stand.calls.push({ operation: 'find', status: 200 } as never);
    const { event } = await stand.verify(word(said), { shown: () => shown });
    expect(event).toMatchObject({ type: 'decisionRefused', commandId: 'cmd_9', code });
    expect(stand.attempts).toMatchObject([inDoubt]);
    expect(stand.payment).toMatchObject({ status: 'needs_review' });
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt' });
    expect(stand.command).toMatchObject({ status: 'accepted' });
    expect(decision(stand)).toMatchObject({ status: 'refused', result: { code } });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 200 }]);
  });

  it.each([
    [-1, 'is too early', false, { code: 'too_early' }],
    [0, 'counts', true, decidedUndone],
  ])(
    '%i ms after the horizon %s; its lookup shows all that was done: %s',
    async (ms, _what, showsAll, event) => {
      const stand = reviewed('did_not_happen', inDoubt);
      stand.pass(ms);
      const lookUp = vi.fn(async (..._given: unknown[]) => 'absent' as const);
      expect(await stand.verify(word('did_not_happen', true), { lookUp })).toMatchObject({ event });
      expect(lookUp.mock.lastCall?.[2]).toBe(showsAll);
    },
  );

  it.each([
    ['happened', { eventOnWord: () => captured }, captured],
    ['did_not_happen', {}, decidedUndone],
  ] as const)('(%s) counts on the word alone if it is marked so', async (said, verification, event) => {
    const stand = reviewed(said, inDoubt);
    expect(await stand.verify(word(said, true), verification)).toMatchObject({ event });
    expect(decision(stand)).toMatchObject({ status: 'succeeded' });
  });

  it('never counts on the word alone if nothing would watch what the step has left', async () => {
    const stand = reviewed('did_not_happen', inDoubt);
    const { event } = await stand.verify(word('did_not_happen', true), { isReadRequired: () => true });
    expect(event).toMatchObject({ type: 'decisionRefused', code: 'cannot_be_verified' });
  });

  it.each([
    ['Not yet.', { reason: 'Not yet.' }],
    ['', {}],
  ])('stays refused if a worker that lost its task has refused it (%s)', async (why, result) => {
    const stand = reviewed('happened', inDoubt);
    stand.rows.commands.refuse('cmd_9', { code: 'too_early', ...result });
    const { event } = await stand.verify(word('happened'), { shown: () => captured });
    expect(event).toEqual({
      type: 'decisionRefused',
      commandId: 'cmd_9',
      code: 'too_early',
      reason: why,
    });
    expect(stand.lookups).toEqual([]);
    expect(stand.attempts).toMatchObject([inDoubt]);
  });
});

/** The latest call was put off, and an earlier one has no outcome. */
function putOff(decision: Said) {
  const stand = reviewed(decision, inDoubt, 1);
  stand.madeBefore(1, deferred(now));
  return stand;
}

describe('a decision about a step whose latest call was put off, and an earlier one has no outcome', () => {
  it('is checked against the provider', async () => {
    const stand = putOff('did_not_happen');
    const { event } = await stand.verify(word('did_not_happen'), { shown: () => 'unreadable' });
    expect(event).toMatchObject({ type: 'decisionRefused', code: 'cannot_be_verified' });
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt' });
  });

  it('is recorded as the outcome of the earlier call', async () => {
    const stand = putOff('happened');
    expect(await stand.verify(word('happened'), { shown: () => captured })).toMatchObject({
      event: captured,
    });
    expect(stand.attempts).toMatchObject([answered, { outcome: 'deferred' }]);
  });

  it('gets the answer to the earlier call, which came late', async () => {
    const stand = reviewed('did_not_happen', answered, 1);
    stand.madeBefore(1, deferred(now));
    expect(await stand.verify(word('did_not_happen'), {})).toMatchObject({ event: captured });
    expect(stand.payment).toMatchObject({ status: 'captured' });
    expect(decision(stand)).toMatchObject({ status: 'refused' });
  });
});

describe('a decision about a step whose outcome is on record', () => {
  it.each([
    ['undone', undone],
    ['deferred', deferred(now)],
  ])('%s, that it happened, is refused', async (_what, recorded) => {
    const stand = reviewed('happened', recorded);
    const { event } = await stand.verify(word('happened'), {});
    expect(event).toMatchObject({ type: 'decisionRefused', code: 'contradicted_by_provider' });
    expect(stand.lookups).toEqual([]);
    expect(stand.rows.calls).toEqual([]);
    expect(decision(stand)).toMatchObject({ status: 'refused' });
  });

  it('as undone, that it did not happen, ends it without a repeat', async () => {
    const stand = reviewed('did_not_happen', undone);
    expect(await stand.verify(word('did_not_happen'), {})).toEqual({ event: decidedUndone, at: now });
    expect(stand.attempts).toMatchObject([undone]);
    expect(stand.payment.state.openStep).toBeUndefined();
    expect(decision(stand)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['happened', 'did_not_happen'] as const)(
    'as answered, that it %s, gets the answer',
    async (said) => {
      const stand = reviewed(said, answered);
      expect(await stand.verify(word(said), {})).toEqual({ event: captured, at: now });
      expect(stand.lookups).toEqual([]);
      expect(stand.payment).toMatchObject({ status: 'captured' });
      expect(decision(stand)).toMatchObject({ status: said === 'happened' ? 'succeeded' : 'refused' });
    },
  );

  it('of which an earlier attempt was answered gets that answer', async () => {
    const stand = reviewed('did_not_happen', answered, 1);
    stand.madeBefore(1, inDoubt);
    expect(await stand.verify(word('did_not_happen'), {})).toMatchObject({ event: captured });
    expect(stand.lookups).toEqual([]);
    expect(stand.attempts).toMatchObject([answered, answered]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
  });

  it.each([
    ['undone', undone, { type: 'decisionRefused', code: 'contradicted_by_provider' }, 'refused'],
    ['answered', answered, captured, 'succeeded'],
  ])('as %s while the provider is read follows the record', async (_what, recorded, event, status) => {
    const stand = reviewed('happened', inDoubt);
    stand.calls.push({ operation: 'find', status: 200 } as never);
    const outcome = await stand.verify(word('happened'), {
      shown: () => {
        stand.rows.recordOutcome({ attemptId: 1, ...recorded, at: new Date(now) } as never);
        return captured;
      },
    });
    expect(outcome).toMatchObject({ event });
    expect(stand.attempts).toMatchObject([recorded]);
    expect(decision(stand)).toMatchObject({ status });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 200 }]);
  });
});
