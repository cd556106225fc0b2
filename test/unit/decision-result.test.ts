import { describe, expect, it } from 'vitest';
import { verifyHappened, verifyProvedUndone, verifyUndone } from '#worker/steps/reviews/decision-result.js';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { capture, inDoubt, now, patience, payment } from '../lifecycle/payment/sample-payments.js';

const openStep = inDoubt(payment('capturing')).openStep ?? never();
const decided = {
  commandId: 'cmd_9',
  decision: 'happened',
  reason: 'The bank says so.',
  resourceId: 'CAP-7',
} as const;
const undone = { ...decided, decision: 'did_not_happen' } as const;
const shown: PaymentEvent = { type: 'captureAnswered', capture: capture(60_00) };
const excluded: PaymentEvent = {
  type: 'stepDeclined',
  reason: 'The authorization is voided at the provider.',
};
const unreadable = { kind: 'unreadable' } as const;
const horizon = now + patience.outcomeHorizonMs;
/** What the word alone would stand for. */
const onWord: PaymentEvent = {
  type: 'captureAnswered',
  capture: { ...capture(60_00), captureId: 'CAP-7', isOnWord: true },
};
const at = (lookedAt: number) => ({ lookedAt, isReadRequired: false });

function never(): never {
  throw new Error('the sample payment has no open step');
}

describe('an operator’s decision that it happened', () => {
  it('is accepted when the provider shows it, as the provider shows it', () => {
    expect(verifyHappened(shown, unreadable, onWord, decided)).toEqual({ event: shown });
  });

  it('is accepted when the provider shows the id that the operator named', () => {
    expect(verifyHappened('absent', { kind: 'found', event: shown }, onWord, decided)).toEqual({
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
  ] as const)('is refused when the provider %s', (_what, seen, named) => {
    for (const word of [decided, { ...decided, isUnverified: true }]) {
      expect(verifyHappened(seen, named, onWord, word)).toMatchObject({
        refused: 'contradicted_by_provider',
      });
    }
  });

  it('is too early if what the operator names may be it only after the outcome horizon', () => {
    const early = { kind: 'another', reason: 'Not yet.', refused: 'too_early' } as const;
    for (const word of [decided, { ...decided, isUnverified: true }]) {
      expect(verifyHappened('unreadable', early, onWord, word)).toEqual({
        refused: 'too_early',
        reason: 'Not yet.',
      });
    }
  });

  it('must say that it is unverified when the provider cannot be read', () => {
    expect(verifyHappened('unreadable', unreadable, onWord, decided)).toMatchObject({
      refused: 'cannot_be_verified',
    });
    const believed = verifyHappened('unreadable', unreadable, onWord, { ...decided, isUnverified: true });
    expect(believed).toMatchObject({ event: { capture: { captureId: 'CAP-7', minor: 60_00 } } });
  });

  it('cannot make up a hold that only the provider knows', () => {
    const word = { ...decided, isUnverified: true };
    expect(verifyHappened('unreadable', unreadable, undefined, word)).toMatchObject({
      refused: 'cannot_be_verified',
    });
  });
});

describe('an operator’s decision that it did not happen', () => {
  it('is refused when the provider shows that it did', () => {
    expect(verifyUndone(shown, openStep, { ...undone, isUnverified: true }, at(horizon))).toMatchObject({
      refused: 'contradicted_by_provider',
    });
  });

  it('is too early while the provider may still carry it out', () => {
    expect(verifyUndone('absent', openStep, undone, at(horizon - 1))).toMatchObject({ refused: 'too_early' });
    expect(verifyUndone('absent', openStep, undone, at(horizon))).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
  });

  it('is never too early when the state of its resource excludes it', () => {
    expect(verifyUndone(excluded, openStep, undone, at(0))).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
  });

  it('must say that it is unverified when the provider cannot be read, and is refused even then for a hold', () => {
    expect(verifyUndone('unreadable', openStep, undone, at(horizon))).toMatchObject({
      refused: 'cannot_be_verified',
    });
    const word = { ...undone, isUnverified: true };
    expect(verifyUndone('unreadable', openStep, word, at(horizon))).toMatchObject({
      event: { type: 'stepDecidedUndone' },
    });
    const ofHold = { ...at(horizon), isReadRequired: true };
    expect(verifyUndone('unreadable', openStep, word, ofHold)).toMatchObject({
      refused: 'cannot_be_verified',
    });
  });
});

describe('an attempt that is recorded as not carried out', () => {
  it('ends with its step when the operator decides the same: nothing is sent after that', () => {
    expect(verifyProvedUndone(undone)).toMatchObject({ event: { type: 'stepDecidedUndone' } });
  });

  it('has priority over an operator’s decision that it happened', () => {
    expect(verifyProvedUndone(decided)).toMatchObject({ refused: 'contradicted_by_provider' });
  });
});

it('an operator is told what the provider shows against a decision, or until when it is too early', () => {
  expect(verifyHappened('absent', unreadable, onWord, decided)).toMatchObject({
    reason: 'The provider shows nothing of it.',
  });
  expect(verifyUndone(shown, openStep, undone, at(horizon))).toMatchObject({
    reason: 'The provider shows that it happened.',
  });
  expect(verifyUndone('absent', openStep, undone, at(horizon - 1))).toMatchObject({
    reason: `The provider may still carry it out, until ${new Date(horizon).toISOString()}.`,
  });
  expect(verifyProvedUndone(decided)).toMatchObject({ reason: 'It is proved that it was not carried out.' });
  expect(verifyProvedUndone(undone)).toMatchObject({
    event: { reason: 'An operator has decided that it did not happen: The bank says so.' },
  });
});
