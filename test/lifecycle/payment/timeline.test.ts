import { describe, expect, it } from 'vitest';
import { advance } from '#workflows/lifecycle/payment/lifecycle.js';
import { sampleEvents } from './sample-events.js';
import { capture, facts, now, payment } from './sample-payments.js';

const at = (status: Parameters<typeof payment>[0]) => ({ state: payment(status), version: 7 });

describe('the timeline of a payment', () => {
  it('records a move, and who asked for it', () => {
    const { position, entry, effect } = advance(
      at('authorized'),
      { type: 'captureRequested', commandId: 'cmd_1', minor: 10_00 },
      now,
    );
    expect(position).toMatchObject({ version: 8, state: { status: 'capturing' } });
    expect(entry).toEqual({
      version: 8,
      event: 'captureRequested',
      kind: 'moved',
      from: 'authorized',
      to: 'capturing',
      at: now,
      commandId: 'cmd_1',
    });
    expect(effect?.type).toBe('perform');
  });

  it('records a refusal with its code, and leaves the status unchanged', () => {
    const { position, entry, effect } = advance(
      at('voided'),
      { type: 'captureRequested', commandId: 'cmd_1' },
      now,
    );
    expect(position.state).toEqual(payment('voided'));
    expect(entry).toMatchObject({
      version: 8,
      kind: 'refused',
      from: 'voided',
      to: 'voided',
      code: 'not_allowed_in_state',
      detail: 'A payment that is voided cannot be captured.',
      commandId: 'cmd_1',
    });
    expect(effect).toBeUndefined();
  });

  it.each([
    ['captureRequested', 'cannot be captured'],
    ['voidRequested', 'cannot be voided'],
    ['releaseRequested', 'has nothing left to be released after a capture'],
    ['reauthorizeRequested', 'cannot be reauthorized'],
    ['cancelRequested', 'cannot be cancelled'],
    ['reviewDecided', 'is not under review'],
  ] as const)('says what was refused: %s', (type, words) => {
    const { entry } = advance(at('voided'), sampleEvents[type], now);
    expect(entry).toMatchObject({ kind: 'refused', detail: `A payment that is voided ${words}.` });
  });

  it('records an operator’s decision with its reason, and a payer’s as his own', () => {
    const decided = advance(at('needs_review'), sampleEvents.reviewDecided, now).entry;
    expect(decided?.detail).toBe('did_not_happen: Seen in the provider’s dashboard.');
    const cancelled = advance(at('awaiting_approval'), sampleEvents.payerCancelled, now).entry;
    expect(cancelled?.detail).toBe('The payer cancelled.');
    const stray = advance(at('capturing'), sampleEvents.approvalFoundMissing, now).entry;
    expect(stray?.detail).toBe('The provider asked for an approval, which has no place here.');
  });

  it.each(['captureRequested', 'voidRequested', 'reauthorizeRequested'] as const)(
    'records that a request has the name of a command of the order’s own policy, and does nothing: %s',
    (type) => {
      const event = { ...sampleEvents[type], commandId: 'pay_1:capture-policy' };
      const { position, entry, effect } = advance(at('authorized'), event, now);
      expect([position.state, effect]).toEqual([payment('authorized'), undefined]);
      expect(entry).toMatchObject({ kind: 'conflict', to: 'authorized' });
    },
  );

  it('records a contradiction', () => {
    const { entry } = advance(at('captured'), { type: 'providerObserved', facts: facts() }, now);
    expect(entry).toMatchObject({ kind: 'conflict', from: 'captured', to: 'captured' });
    expect(entry?.detail).toContain('The provider shows 0.00 USD captured');
  });

  it('gives the reason of the move', () => {
    const { entry } = advance(
      at('capturing'),
      { type: 'stepDeclined', reason: 'The provider refused it (X).' },
      now,
    );
    expect(entry?.detail).toBe('The provider refused it (X).');
  });

  it('has no line and no version for what told nothing new', () => {
    expect(advance(at('captured'), { type: 'payerApproved', payerId: 'P' }, now)).toEqual({
      position: at('captured'),
    });
  });

  it('has no line for a mere read, but counts its version, so that its rows are never taken for older ones', () => {
    const { position, entry, effect } = advance(at('awaiting_approval'), { type: 'pollCameDue' }, now);
    expect(entry).toBeUndefined();
    expect(position.version).toBe(8);
    expect(effect).toEqual({ type: 'observe' });
  });

  it('has a line for an adopted capture even if the status stays the same', () => {
    const captures = [capture(40_00), capture(10_00, { captureId: 'CAP-2' })];
    const { entry } = advance(
      at('partially_captured'),
      { type: 'providerObserved', facts: facts({ captures }) },
      now,
    );
    expect(entry).toMatchObject({ kind: 'moved', from: 'partially_captured', to: 'partially_captured' });
  });
});
