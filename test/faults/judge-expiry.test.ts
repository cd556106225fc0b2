import { describe, expect, it } from 'vitest';
import { judgeExpiry } from '#proof/faults/expiry/judge.js';
import { courses, type ExpiryPlan } from '#proof/faults/expiry/plan.js';
import type { Command } from '#proof/faults/order-service.js';
import type { PaymentView } from '#proof/faults/payment/payment-view.js';
import { command, movement, usd } from './commands-and-movements.js';

const plan: ExpiryPlan = {
  orderId: 'order-1',
  minor: 1000,
  currency: 'USD',
  exponent: 2,
  approval: 'at once',
  isCancelled: false,
  thinkMs: 0,
  repeatsWhatIsDone: false,
  application: 'short-days',
  course: courses.reauthorizedThenCaptured,
};

function held(state: string, captured: string): PaymentView {
  const amounts = {
    authorized: usd('10.00'),
    captured: usd(captured),
    capturable: usd('0.00'),
    refunded: usd('0.00'),
    reversed: usd('0.00'),
  };
  const reason = state === 'expired' ? 'The window of this authorization has passed.' : null;
  return { id: 'pay_1', state, version: 9, amounts, captures: [], deadlines: { honourUntil: null }, reason };
}

const hold = movement('hold', 1000);
const release = movement('release', 1000);
const reauthorization = movement('hold', 1000);
const taken = movement('capture', 1000, { captureId: 'C1' });
const capture = command('capture', { answer: { id: 'cmd_1', capture: { id: 'C1' } } });

const refusedAs = (detail: string) => [command('capture', { outcome: 'refused', detail })];

const judged = (of: ExpiryPlan, final: PaymentView, commands: Command[], movements: (typeof hold)[]) =>
  judgeExpiry(
    of,
    { commands, repeats: [], final, isReauthorizationReported: of.course.reauthorization === 'by policy' },
    movements,
  );
const kinds = (...of: Parameters<typeof judged>) => judged(...of).discrepancies.map(({ kind }) => kind);

describe('the judge of holds that grow old', () => {
  it('accepts a hold that was reauthorized and captured once', () => {
    expect(
      kinds(plan, held('captured', '10.00'), [capture], [hold, release, reauthorization, taken]),
    ).toEqual([]);
  });

  it('calls "reauthorized" without a movement lost', () => {
    expect(kinds(plan, held('captured', '10.00'), [capture], [hold, taken])).toEqual(['lost']);
  });

  it('calls a third hold doubled', () => {
    const movements = [hold, release, reauthorization, release, movement('hold', 1000), taken];
    expect(kinds(plan, held('captured', '10.00'), [capture], movements)).toEqual(['doubled']);
  });

  it('calls a second hold doubled when nobody asked for one', () => {
    const voided = { ...plan, course: courses.voidedAtTheEnd };
    expect(kinds(voided, held('voided', '0.00'), [], [hold, release, reauthorization, release])).toEqual([
      'doubled',
    ]);
  });

  it('calls a capture besides the policy’s capture doubled', () => {
    const byPolicy = { ...plan, course: courses.capturedInTime };
    const again = movement('capture', 1000, { captureId: 'C2' });
    expect(kinds(byPolicy, held('captured', '20.00'), [], [hold, reauthorization, taken, again])).toContain(
      'doubled',
    );
  });

  it('calls a hold lost when it is shown as expired while its money is held', () => {
    const expired = { ...plan, course: courses.expired };
    expect(kinds(expired, held('expired', '0.00'), [], [hold])).toEqual(['lost']);
    expect(kinds(expired, held('expired', '0.00'), [], [hold, release])).toEqual([]);
  });

  it('accepts the end of the window during a capture of unknown outcome as an explanation when nothing was captured', () => {
    const late = { ...plan, course: courses.capturedInTime };
    const verdict = judged(late, held('expired', '0.00'), [], [hold, release]);
    expect(verdict.discrepancies).toEqual([]);
    expect(verdict.explanation).toContain('The window');
  });

  it('leaves a hold to the policy when no capture was requested before the window closed', () => {
    const movements = [hold, release, reauthorization, release];
    expect(kinds(plan, held('voided', '0.00'), [], movements)).toEqual([]);
    expect(kinds(plan, held('voided', '0.00'), [capture], movements)).toContain('stuck');
  });

  it('leaves a hold to the policy when a capture was refused because the policy was voiding it', () => {
    const movements = [hold, release, reauthorization, release];
    const late = refusedAs('409 Conflict: A payment that is voiding cannot be captured. (voiding)');
    expect(kinds(plan, held('voided', '0.00'), late, movements)).toEqual([]);
    const other = refusedAs('409 Conflict: A payment that is capturing cannot be captured. (capturing)');
    expect(kinds(plan, held('voided', '0.00'), other, movements)).toEqual(['stuck']);
  });

  describe('of a hold whose late captures are declined by chance until its policy voids it', () => {
    const late = { ...plan, course: courses.capturedLate, application: 'short-days-by-chance' };
    const detail =
      '402 The provider declined the request: The provider declined it (INSTRUMENT_DECLINED). (authorized)';
    const refused = command('capture', { outcome: 'failed', detail });
    const books = [hold, release];

    it('takes the declines that were told as an explanation', () => {
      const verdict = judged(late, held('voided', '0.00'), [refused, refused, refused], books);
      expect(verdict.discrepancies).toEqual([]);
      expect(verdict.explanation).toContain('INSTRUMENT_DECLINED');
    });

    it.each([
      ['another answer', late, [refused, command('capture', { outcome: 'failed', detail: '409 No' })], books],
      ['no answer', late, [refused, command('capture', { outcome: 'open' })], books],
      [
        'an account that declines nothing by chance',
        { ...late, application: 'short-days' },
        [refused],
        books,
      ],
    ] as const)('calls it stuck beside %s', (_what, of, commands, movements) => {
      expect(kinds(of, held('voided', '0.00'), [...commands], [...movements])).toContain('stuck');
    });

    it('calls it stuck if it ends otherwise, and lost if money is still held or was taken', () => {
      expect(kinds(late, held('declined', '0.00'), [refused], books)).toEqual(['stuck']);
      expect(kinds(late, held('voided', '0.00'), [refused], [hold])).toContain('lost');
      expect(kinds(late, held('voided', '0.00'), [refused], [hold, taken])).toContain('doubled');
    });
  });
});
