import { describe, expect, it } from 'vitest';
import { collectedBy, type RefundState, refundStatuses, returnedAmounts } from '#workflows/lifecycle/refund';
import {
  type CollectedMoney,
  evaluateRequest,
  refundableInAll,
  refundableOf,
} from '#workflows/lifecycle/refund/refundable.js';
import { payment } from '../payment/sample-payments.js';
import { refund, usd } from './sample-refunds.js';

const capture: CollectedMoney = { kind: 'capture', id: 'CAP-1', minor: 100_00, status: 'completed' };
const other: CollectedMoney = { ...capture, id: 'CAP-2', minor: 50_00 };

const evaluate = (minor: number | undefined, refunds: readonly RefundState[] = [], collected = [capture]) =>
  evaluateRequest(minor === undefined ? {} : { amount: usd(minor) }, collected, refunds, 'USD');
const refusalOf = (...asked: Parameters<typeof evaluate>) => {
  const result = evaluate(...asked);
  return result.kind === 'refused' ? result.refusal : undefined;
};

function reversal(minor?: number): RefundState {
  const { amount: _none, ...rest } = refund('completed');
  const claim = { kind: 'reversal', collected: { kind: 'capture', id: 'CAP-1' } } as const;
  return { ...rest, claim, ...(minor !== undefined && { amount: usd(minor) }) };
}

const invalid = (part: string, reason: string) => ({ kind: 'invalid', part, reason });
const conflict = (code: string, reason: string) => ({ kind: 'conflict', code, reason });

describe('the refundable amount', () => {
  it('is refunded as far as it is asked for, and all of it without an amount', () => {
    expect(evaluate(25_00, [refund('completed')])).toMatchObject({ kind: 'granted', amount: usd(25_00) });
    expect(evaluate(undefined, [refund('completed')])).toMatchObject({ kind: 'granted', amount: usd(60_00) });
  });

  it.each(refundStatuses)('counts a refund that is %s unless nothing was refunded by it', (status) => {
    const isNothing = ['failed', 'cancelled', 'declined', 'unfounded'].includes(status);
    // Of one that nobody has read back, how much it gives back is known to nobody.
    const left = status === 'observed' ? undefined : isNothing ? 100_00 : 60_00;
    expect(refundableOf(capture, [refund(status)])).toBe(left);
  });

  it('case 35: is unknown as soon as a claim is known, and before it could be read', () => {
    const { collected: _unread, ...unread } = { ...reversal(), status: 'observed' as const };
    expect(refundableOf(capture, [unread])).toBeUndefined();
    expect(refundableOf(other, [unread])).toBe(50_00);
    expect(returnedAmounts([unread]).reversed).toBeUndefined();
    expect(returnedAmounts([{ ...unread, status: 'unfounded' }]).reversed).toBe(0);
    // Whose capture a refund made elsewhere gives back from, only a read tells.
    expect(refundableOf(other, [refund('observed')])).toBeUndefined();
    expect(refusalOf(1, [unread])).toMatchObject({ code: 'refundable_amount_unknown' });
    expect(refusalOf(1, [refund('observed')])).toMatchObject({ code: 'refundable_amount_unknown' });
  });

  it('is nothing when the payer’s bank has taken all, whatever else is claimed of the same capture', () => {
    const { collected: _unread, ...again } = { ...reversal(), status: 'observed' as const };
    for (const returns of [
      [reversal(100_00), again],
      [again, reversal(100_00)],
    ]) {
      expect(refundableOf(capture, returns)).toBe(0);
      expect(returnedAmounts(returns).reversed).toBe(100_00);
    }
  });

  it.each(['pending', 'denied'] as const)('is nothing of a capture that is %s', (status) => {
    expect(refundableOf({ ...capture, status }, [])).toBe(0);
  });

  it('is reduced by a pending chargeback whose amount is shown', () => {
    expect(refundableOf(capture, [{ ...reversal(60_00), status: 'pending' }])).toBe(40_00);
  });

  it('is separate for each capture', () => {
    expect(refundableOf(other, [refund('completed')])).toBe(50_00);
  });

  it('is reduced by a chargeback, and unknown when its amount is not shown', () => {
    expect(refundableOf(capture, [refund('completed'), reversal(60_00)])).toBe(0);
    expect(refundableOf(capture, [reversal()])).toBeUndefined();
    expect(refundableOf(capture, [{ ...reversal(), status: 'pending' }])).toBeUndefined();
  });

  it('is the sum over the captures, and unknown when it is unknown for one', () => {
    expect(refundableInAll([], [])).toBe(0);
    expect(refundableInAll([capture, other], [refund('completed')])).toBe(110_00);
    expect(refundableInAll([capture, other], [reversal()])).toBeUndefined();
    expect(refundableInAll([other, capture], [reversal()])).toBeUndefined();
  });
});

describe('a request', () => {
  it('without an amount is for all that is left', () => {
    expect(evaluate(undefined, [refund('pending')])).toEqual({
      kind: 'granted',
      collected: { kind: 'capture', id: 'CAP-1' },
      amount: usd(60_00),
    });
  });

  it('is refused above what is left, and accepted up to it', () => {
    expect(evaluate(60_00, [refund('requesting')]).kind).toBe('granted');
    expect(refusalOf(60_01, [refund('requesting')])).toMatchObject({ part: 'amount' });
    expect(refusalOf(undefined, [refund('completed'), reversal(60_00)])).toMatchObject({
      code: 'nothing_refundable',
    });
    expect(refusalOf(1, [reversal()])).toMatchObject({ code: 'refundable_amount_unknown' });
  });

  it('is refused in another currency than was collected', () => {
    const euros = { amount: { minor: 1, currency: 'EUR' } };
    expect(evaluateRequest(euros, [capture], [], 'USD')).toMatchObject({ refusal: { part: 'currency' } });
  });

  it('must name its capture when there are several', () => {
    expect(refusalOf(1_00, [], [capture, other])).toMatchObject({ part: 'collected' });
    const named = { amount: usd(1_00), collected: { kind: 'capture', id: 'CAP-2' } } as const;
    expect(evaluateRequest(named, [capture, other], [], 'USD')).toMatchObject({ collected: { id: 'CAP-2' } });
    const unknown = { collected: { kind: 'sale', id: 'CAP-1' } } as const;
    expect(evaluateRequest(unknown, [capture], [], 'USD')).toMatchObject({ refusal: { part: 'collected' } });
  });

  it('is refused for what was not collected', () => {
    expect(refusalOf(1_00, [], [])).toMatchObject({ code: 'nothing_collected' });
    expect(refusalOf(1_00, [], [{ ...capture, status: 'denied' }])).toMatchObject({
      code: 'nothing_collected',
    });
    expect(refusalOf(1_00, [], [{ ...capture, status: 'pending' }])).toMatchObject({ code: 'not_settled' });
  });

  it('is told why it is refused', () => {
    const whole = [refund('completed'), reversal(60_00)];
    expect(refusalOf(60_01, [refund('completed')])).toEqual(
      invalid('amount', 'At most 60.00 USD can be refunded.'),
    );
    expect(refusalOf(1, whole)).toEqual(invalid('amount', 'Nothing is left to refund.'));
    expect(refusalOf(undefined, whole)).toEqual(
      conflict('nothing_refundable', 'All of it has gone back, or is about to.'),
    );
    expect(refusalOf(1, [], [{ ...capture, status: 'pending' }])).toEqual(
      conflict('not_settled', 'The capture is pending.'),
    );
    expect(refusalOf(1, [], [])).toEqual(
      conflict('nothing_collected', 'Nothing was collected that could be refunded.'),
    );
    expect(refusalOf(1, [], [capture, other])).toEqual(
      invalid('collected', 'must be named, because there are several'),
    );
    const euros = evaluateRequest({ amount: { minor: 1, currency: 'EUR' } }, [capture], [], 'USD');
    expect(euros).toMatchObject({ refusal: invalid('currency', 'must be USD, as collected') });
    const unknown = evaluateRequest({ collected: { kind: 'sale', id: 'S' } }, [capture], [], 'USD');
    expect(unknown).toMatchObject({ refusal: invalid('collected', 'is no sale of this payment') });
  });

  it('is told whether a read will show how much has gone back, or nobody tells', () => {
    const unread = 'Money is said to have gone back, and the provider has not shown how much yet.';
    const untold = 'The payer’s bank has taken back a part, and the provider does not tell how much.';
    const { amount: _hidden, ...hidden } = refund('completed');
    const claimed: RefundState = { ...reversal(), status: 'pending' };
    expect(refusalOf(1, [claimed, refund('completed')])?.reason).toContain(unread);
    expect(refusalOf(1, [reversal(), refund('pending')])?.reason).toBe(untold);
    expect(refusalOf(1, [reversal(), hidden])?.reason).toBe(untold);
  });

  it('can be for each capture of the payment', () => {
    expect(collectedBy(payment('partially_captured'))).toEqual([
      { kind: 'capture', id: 'CAP-1', minor: 40_00, status: 'completed' },
    ]);
  });

  it('can be for a sale as for a capture', () => {
    const sale = { saleId: 'SALE-1', minor: 100_00, status: 'completed' } as const;
    const collected = collectedBy({ ...payment('creating'), captures: [], sale });
    expect(evaluateRequest({}, collected, [], 'USD')).toMatchObject({
      kind: 'granted',
      collected: { kind: 'sale', id: 'SALE-1' },
      amount: usd(100_00),
    });
  });
});
