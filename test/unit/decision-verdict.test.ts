import { describe, expect, it } from 'vitest';
import {
  judgeHappened,
  judgeProvedUndone,
  judgeUndone,
} from '../../apps/worker/src/activities/decision-verdict.js';
import { captureStep, capture, inDoubt, now, patience, payment } from '../lifecycle/sample-payments.js';

const openStep = inDoubt(payment('capturing')).openStep ?? never();
const decided = {
  commandId: 'cmd_9',
  decision: 'happened',
  reason: 'The bank says so.',
  resourceId: 'CAP-7',
} as const;
const undone = { ...decided, decision: 'did_not_happen' } as const;
const shown = { type: 'captureAnswered', capture: capture(60_00) } as const;
const excluded = { type: 'stepDeclined', reason: 'The authorization is voided at the provider.' } as const;
const unreadable = { kind: 'unreadable' } as const;
const horizon = now + patience.outcomeHorizonMs;

function never(): never {
  throw new Error('the sample payment has no open step');
}

describe('an operator who says that it happened', () => {
  it('is believed when the provider shows it, as the provider shows it', () => {
    expect(judgeHappened(shown, unreadable, captureStep, decided)).toEqual({ event: shown });
  });

  it('is believed when the provider shows what he named', () => {
    expect(judgeHappened('absent', { kind: 'found', event: shown }, captureStep, decided)).toEqual({
      event: shown,
    });
  });

  it.each([
    ['shows nothing of it', 'absent', unreadable],
    ['excludes it', excluded, unreadable],
    [
      'shows something else under that id',
      'unreadable',
      { kind: 'another', reason: 'It is of another payment.' },
    ],
  ] as const)('is not believed when the provider %s', (_what, seen, named) => {
    for (const word of [decided, { ...decided, isUnverified: true }]) {
      expect(judgeHappened(seen, named, captureStep, word)).toMatchObject({
        refused: 'contradicted_by_provider',
      });
    }
  });

  it('must say that it is unverified when the provider cannot be read', () => {
    expect(judgeHappened('unreadable', unreadable, captureStep, decided)).toMatchObject({
      refused: 'cannot_be_verified',
    });
    const onWord = judgeHappened('unreadable', unreadable, captureStep, { ...decided, isUnverified: true });
    expect(onWord).toMatchObject({ event: { capture: { captureId: 'CAP-7', minor: 60_00 } } });
  });

  it('cannot make up a hold that only the provider knows', () => {
    const execute = { type: 'executePayment', payerId: 'PAYER-1' } as const;
    const word = { ...decided, isUnverified: true };
    expect(judgeHappened('unreadable', unreadable, execute, word)).toMatchObject({
      refused: 'cannot_be_verified',
    });
  });
});

describe('an operator who says that it did not happen', () => {
  it('is not believed when the provider shows that it did', () => {
    expect(judgeUndone(shown, openStep, { ...undone, isUnverified: true }, horizon)).toMatchObject({
      refused: 'contradicted_by_provider',
    });
  });

  it('is too early while the provider may still carry it out', () => {
    expect(judgeUndone('absent', openStep, undone, horizon - 1)).toMatchObject({ refused: 'too_early' });
    expect(judgeUndone('absent', openStep, undone, horizon)).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
  });

  it('is never too early where the state of its resource excludes it', () => {
    expect(judgeUndone(excluded, openStep, undone, 0)).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
  });

  it('must say that it is unverified when the provider cannot be read, and not even so of a hold', () => {
    expect(judgeUndone('unreadable', openStep, undone, horizon)).toMatchObject({
      refused: 'cannot_be_verified',
    });
    const word = { ...undone, isUnverified: true };
    expect(judgeUndone('unreadable', openStep, word, horizon)).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
    const executing = { ...openStep, step: { type: 'executePayment', payerId: 'PAYER-1' } } as const;
    expect(judgeUndone('unreadable', executing, word, horizon)).toMatchObject({
      refused: 'cannot_be_verified',
    });
  });
});

describe('an attempt that is on record as not carried out', () => {
  it('ends with its step when the operator says the same: nothing is sent against that word', () => {
    expect(judgeProvedUndone(undone)).toMatchObject({ event: { type: 'stepDecidedUndone' } });
  });

  it('goes before an operator who says that it happened', () => {
    expect(judgeProvedUndone(decided)).toMatchObject({ refused: 'contradicted_by_provider' });
  });
});
