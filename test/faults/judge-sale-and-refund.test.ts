import { describe, expect, it } from 'vitest';
import type { Command } from '#proof/faults/order-service.js';
import type { PaymentView } from '#proof/faults/payment/payment-view.js';
import { judgeRefund } from '#proof/faults/refund/judge.js';
import type { RefundPlan } from '#proof/faults/refund/plan.js';
import type { RefundRecord } from '#proof/faults/refund/play.js';
import type { RefundView } from '#proof/faults/refund/refund-view.js';
import { courses } from '#proof/faults/refund/courses.js';
import { judgeSale } from '#proof/faults/sale/judge.js';
import type { SalePlan } from '#proof/faults/sale/plan.js';
import { command, movement, usd } from './commands-and-movements.js';

const payment = {
  orderId: 'order-1',
  minor: 1000,
  currency: 'USD',
  exponent: 2,
  approval: 'by the payer',
  isCancelled: false,
  thinkMs: 0,
  repeatsWhatIsDone: false,
} as const;
const salePlan: SalePlan = { ...payment, application: 'shop', state: 'completed' };
const refundPlan: RefundPlan = { ...payment, application: 'shop', intent: 'sale', course: courses.part };

const sale = movement('sale', 1000, { custom: 'pay_1', saleId: 'S1' });
const back = (minor: number, refundId: string, invoiceNumber = 're_1') =>
  movement('refund', minor, { saleId: 'S1', refundId, invoiceNumber });

function paid(state: string, captured = '10.00', refunded = '0.00'): PaymentView {
  const amounts = {
    authorized: usd('0.00'),
    captured: usd(captured),
    capturable: usd('0.00'),
    refunded: usd(refunded),
    reversed: usd('0.00'),
  };
  const reason = state === 'declined' ? 'The provider denied the sale.' : null;
  return { id: 'pay_1', state, version: 3, amounts, captures: [], deadlines: { honourUntil: null }, reason };
}

const created = command('create', { answer: paid('awaiting_approval', '0.00') });

const judgedSale = (final: PaymentView, ...movements: Parameters<typeof judgeSale>[2]) =>
  judgeSale(salePlan, { commands: [created], repeats: [], final }, movements);
const kindsOfSale = (...of: Parameters<typeof judgedSale>) =>
  judgedSale(...of).discrepancies.map(({ kind }) => kind);

describe('the judge of a sale', () => {
  it('accepts money that was taken once', () => {
    expect(judgedSale(paid('completed'), sale)).toEqual({ discrepancies: [], requests: 1 });
  });

  it('calls "completed" without a movement lost', () => {
    expect(kindsOfSale(paid('completed'))).toContain('lost');
  });

  it('calls money lost when it was taken while the engine shows a decline', () => {
    expect(kindsOfSale(paid('declined', '0.00'), sale)).toContain('lost');
  });

  it('calls two sales for one order doubled', () => {
    expect(kindsOfSale(paid('completed'), sale, movement('sale', 1000))).toContain('doubled');
  });

  it('calls another amount than was ordered lost', () => {
    expect(kindsOfSale(paid('completed'), movement('sale', 999))).toContain('lost');
  });

  it('calls a sale that is left pending stuck', () => {
    expect(kindsOfSale(paid('pending', '0.00'))).toEqual(['stuck']);
  });

  it('accepts a decline without money as an explanation', () => {
    const verdict = judgedSale(paid('declined', '0.00'));
    expect(verdict.discrepancies).toEqual([]);
    expect(verdict.explanation).toContain('denied');
  });
});

const asked = (id: string, value: string, more: Partial<Command> = {}) =>
  command('refund', { key: id, body: { amount: usd(value) }, answer: { id }, ...more });
const shown = (id: string, value: string, more: Partial<RefundView> = {}): RefundView => ({
  id,
  kind: 'refund',
  origin: 'order_service',
  providerRefundId: `R-${id}`,
  amount: usd(value),
  state: 'completed',
  captureId: null,
  saleId: 'S1',
  reason: null,
  ...more,
});
const record = (refunded: string, refunds: RefundView[], ...commands: Command[]): RefundRecord => ({
  commands: [created, ...commands],
  repeats: [],
  final: { payment: paid('completed', '10.00', refunded), refunds },
});
const kinds = (...of: Parameters<typeof judgeRefund>) =>
  judgeRefund(...of).discrepancies.map(({ kind }) => kind);

const standing = (state: string) => record('0.00', [shown('a', '4.00', { state })], asked('a', '4.00'));

describe('the judge of refunds', () => {
  it('accepts two equal refunds under two keys, each made once', () => {
    const reported = record(
      '8.00',
      [shown('a', '4.00'), shown('b', '4.00')],
      asked('a', '4.00'),
      asked('b', '4.00'),
    );
    expect(kinds(refundPlan, reported, [sale, back(400, 'R-a'), back(400, 'R-b')])).toEqual([]);
  });

  it('calls an accepted refund without a movement lost', () => {
    const reported = record('0.00', [shown('a', '4.00')], asked('a', '4.00'));
    expect(kinds(refundPlan, reported, [sale])).toEqual(['lost']);
  });

  it('calls a refund that was made twice doubled', () => {
    const reported = record('8.00', [shown('a', '4.00')], asked('a', '4.00'));
    expect(kinds(refundPlan, reported, [sale, back(400, 'R-a'), back(400, 'R-again')])).toEqual(['doubled']);
  });

  it('calls money doubled when it was refunded after a failure was answered', () => {
    const failed = asked('a', '4.00', { outcome: 'failed', detail: '402' });
    expect(kinds(refundPlan, record('4.00', [], failed), [sale, back(400, 'R-a')])).toEqual(['doubled']);
  });

  it('calls a refund of another amount than was asked for lost', () => {
    const reported = record('3.00', [shown('a', '3.00')], asked('a', '4.00'));
    expect(kinds(refundPlan, reported, [sale, back(300, 'R-a')])).toEqual(['lost']);
  });

  it('calls a refund that is shown as failed, but was made, lost', () => {
    const reported = record('4.00', [shown('a', '4.00', { state: 'failed' })], asked('a', '4.00'));
    expect(kinds(refundPlan, reported, [sale, back(400, 'R-a')])).toEqual(['lost']);
  });

  it('calls a refund made elsewhere lost when the engine does not show it', () => {
    const elsewhere = back(400, 'R-x', 'elsewhere-order-1');
    expect(
      kinds({ ...refundPlan, course: courses.elsewhere }, record('4.00', []), [sale, elsewhere]),
    ).toEqual(['lost']);
    const reported = record('4.00', [shown('x', '4.00', { origin: 'elsewhere' })]);
    expect(kinds({ ...refundPlan, course: courses.elsewhere }, reported, [sale, elsewhere])).toEqual([]);
  });

  it('calls a refund that is left under way stuck, and counts one in review as a review, too', () => {
    expect(kinds(refundPlan, standing('pending'), [sale])).toEqual(['stuck']);
    expect(kinds(refundPlan, standing('needs_review'), [sale])).toEqual(['needsReview', 'stuck']);
  });

  it('calls a payment that shows less refunded than the books lost', () => {
    const reported = record('0.00', [shown('a', '4.00')], asked('a', '4.00'));
    expect(kinds(refundPlan, reported, [sale, back(400, 'R-a')])).toEqual(['lost']);
  });
});
