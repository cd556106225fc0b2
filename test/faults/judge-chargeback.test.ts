import { describe, expect, it } from 'vitest';
import type { Command } from '#proof/faults/order-service.js';
import { judgeRefund } from '#proof/faults/refund/judge.js';
import type { RefundPlan } from '#proof/faults/refund/plan.js';
import type { RefundRecord } from '#proof/faults/refund/play.js';
import type { RefundView } from '#proof/faults/refund/refund-view.js';
import { coursesOfBanks, coursesOfParts } from '#proof/faults/refund/courses.js';
import { command, movement, usd } from './commands-and-movements.js';

const plan: RefundPlan = {
  orderId: 'order-1',
  minor: 1000,
  currency: 'USD',
  exponent: 2,
  approval: 'at once',
  isCancelled: false,
  thinkMs: 0,
  repeatsWhatIsDone: false,
  application: 'shop',
  intent: 'authorize',
  course: coursesOfBanks.whole,
};

type Books = Parameters<typeof judgeRefund>[2];
type Payment = NonNullable<RefundRecord['final']>['payment'];

const taken = (captureId: string, minor: number) => movement('capture', minor, { captureId });
const back = (captureId: string, minor: number, refundId: string) =>
  movement('refund', minor, { captureId, refundId, invoiceNumber: refundId });
const chargedBack = (captureId: string, minor: number) => movement('reversal', minor, { captureId });
const hold = movement('hold', 1000);

function payment(amounts: Partial<Payment['amounts']>): Payment {
  const none = usd('0.00');
  return {
    id: 'pay_1',
    state: 'captured',
    version: 5,
    captures: [],
    deadlines: { honourUntil: null },
    amounts: {
      authorized: usd('10.00'),
      captured: usd('10.00'),
      capturable: none,
      refunded: none,
      reversed: none,
      ...amounts,
    },
  };
}

const shown = (id: string, value: string | null, more: Partial<RefundView> = {}): RefundView => ({
  id,
  kind: 'reversal',
  origin: 'elsewhere',
  providerRefundId: null,
  amount: value === null ? null : usd(value),
  state: 'completed',
  captureId: 'C1',
  saleId: null,
  reason: null,
  ...more,
});
const refunded = (id: string, value: string, captureId: string): RefundView =>
  shown(id, value, { kind: 'refund', origin: 'order_service', providerRefundId: id, captureId });

interface Reported {
  readonly amounts: Partial<Payment['amounts']>;
  readonly refunds: readonly RefundView[];
  readonly commands?: readonly Command[];
  readonly chargebacksReported?: readonly string[];
}

function judged(
  of: RefundPlan,
  { amounts, refunds, commands = [], chargebacksReported = [] }: Reported,
  books: Books,
) {
  const final = { payment: payment(amounts), refunds };
  const record = { commands: [...commands], repeats: [], final, chargebacksReported };
  return judgeRefund(of, record, books).discrepancies.map(({ kind }) => kind);
}
const kinds = (reported: Reported, ...books: (typeof hold)[]) =>
  judged(plan, reported, [hold, taken('C1', 1000), ...books]);

const whole: Reported = {
  amounts: { reversed: usd('10.00') },
  refunds: [shown('re_1', '10.00')],
  chargebacksReported: ['re_1'],
};

const twoOf = (...amounts: readonly (string | null)[]): Reported => ({
  amounts: { reversed: usd('10.00') },
  refunds: amounts.map((amount, place) => shown(`re_${place}`, amount)),
});

describe('the judge of chargebacks', () => {
  it('accepts one of the whole amount that is shown as such', () => {
    expect(kinds(whole, chargedBack('C1', 1000))).toEqual([]);
  });

  it('accepts one of a part whose amount the provider does not show', () => {
    const part: Reported = { amounts: { reversed: null }, refunds: [shown('re_1', null)] };
    expect(kinds(part, chargedBack('C1', 400))).toEqual([]);
  });

  it('accepts two that are the whole amount together, without the amount of each', () => {
    expect(kinds(twoOf(null, null), chargedBack('C1', 200), chargedBack('C1', 800))).toEqual([]);
  });

  it('calls a second one that is shown with the amount of both lost', () => {
    const books = [chargedBack('C1', 200), chargedBack('C1', 800)];
    expect(kinds(twoOf(null, '10.00'), ...books)).toEqual(['lost']);
    expect(kinds(twoOf('10.00', '10.00'), ...books)).toEqual(['lost']);
  });

  it('calls one that is not shown lost', () => {
    expect(kinds({ amounts: {}, refunds: [] }, chargedBack('C1', 1000))).toContain('lost');
  });

  it('calls one that was shown and is undone lost', () => {
    const undone: Reported = { amounts: {}, refunds: [], chargebacksReported: ['re_1'] };
    expect(kinds(undone)).toEqual(['lost']);
  });

  it('calls one that is shown twice doubled', () => {
    const twice: Reported = { ...whole, refunds: [shown('re_1', '10.00'), shown('re_2', '10.00')] };
    expect(kinds(twice, chargedBack('C1', 1000))).toEqual(['doubled']);
  });

  it('calls an amount that is guessed, or not what was charged back, lost', () => {
    const guessed: Reported = { amounts: { reversed: null }, refunds: [shown('re_1', '4.00')] };
    expect(kinds(guessed, chargedBack('C1', 300))).toContain('lost');
    const mistaken: Reported = { ...whole, amounts: { reversed: usd('9.99') } };
    expect(kinds(mistaken, chargedBack('C1', 1000))).toContain('lost');
  });

  it('calls a refund that was accepted when nothing was left doubled', () => {
    const invalidRefund = command('invalid refund', { answer: { id: 're_9' } });
    expect(kinds({ ...whole, commands: [invalidRefund] }, chargedBack('C1', 1000))).toContain('doubled');
    const refused = command('invalid refund', { outcome: 'refused' });
    expect(kinds({ ...whole, commands: [refused] }, chargedBack('C1', 1000))).toEqual([]);
  });
});

const part = (id: string, value: string) =>
  command('capture', {
    key: id,
    body: { amount: usd(value) },
    answer: { id: `cmd_${id}`, capture: { id } },
  });

describe('the judge of refunds of one capture among several', () => {
  const inParts: RefundPlan = { ...plan, course: coursesOfParts.each };
  const captures = [part('C1', '2.00'), part('C2', '4.00'), part('C3', '4.00')];
  const asked = command('refund', { body: { captureId: 'C2' }, answer: { id: 're_1' } });
  const reported: Reported = {
    amounts: { refunded: usd('4.00') },
    refunds: [refunded('re_1', '4.00', 'C2')],
    commands: [...captures, asked],
  };
  const booked = [hold, taken('C1', 200), taken('C2', 400), taken('C3', 400)];

  it('accepts one of the capture that was named', () => {
    expect(judged(inParts, reported, [...booked, back('C2', 400, 're_1')])).toEqual([]);
  });

  it('calls one of another capture lost', () => {
    expect(judged(inParts, reported, [...booked, back('C3', 400, 're_1')])).toEqual(['lost']);
  });

  it('calls a capture lost that no movement shows', () => {
    const books = [...booked.slice(0, 3), back('C2', 400, 're_1')];
    expect(judged(inParts, reported, books)).toContain('lost');
  });
});
