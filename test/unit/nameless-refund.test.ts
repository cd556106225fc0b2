import { describe, expect, it } from 'vitest';
import type { AttemptRow } from '#database/schema';
import type { Refund } from '#payments-client';
import { mayBeIt } from '#worker/refunds/look-up-refund-request.js';
import { idsOfOthers, unclearAfter, whyAnother } from '#worker/refunds/nameless-refund.js';
import type { RefundRequestClaim } from '#workflows/lifecycle/refund';

const begunAt = Date.parse('2026-11-27T12:00:00Z');
const minute = 60_000;

const claim: RefundRequestClaim = {
  kind: 'request',
  collected: { kind: 'capture', id: 'CAP-1' },
  amount: { minor: 30_00, currency: 'USD' },
  providerPaymentId: 'PAY-1',
};
// Only what the rule reads.
const attempts = [{ reference: 're_1-0', begun_at: new Date(begunAt) } as AttemptRow];

const sameClock = { clockOffsets: { least: 0, most: 0 } };

function refund(differences: Partial<Refund> = {}): Refund {
  return {
    id: 'REF-1',
    state: 'completed',
    amount: { value: '30.00', currency: 'USD' },
    captureId: 'CAP-1',
    saleId: undefined,
    paymentId: 'PAY-1',
    invoiceNumber: undefined,
    custom: undefined,
    createTime: new Date(begunAt + minute).toISOString(),
    updateTime: undefined,
    ...differences,
  };
}

describe('a refund that an operator names', () => {
  it.each([
    ['is equal and has nobody’s reference', {}],
    ['has our reference', { invoiceNumber: 're_1-0' }],
    [
      'has our reference, and the answer leaves out its capture',
      { invoiceNumber: 're_1-0', captureId: undefined },
    ],
    ['does not tell when it was made', { createTime: undefined }],
  ])('can be the requested one if it %s', (_what, differences) => {
    expect(whyAnother(refund(differences), claim, attempts, sameClock)).toBeUndefined();
  });

  it.each([
    ['has another’s reference', { invoiceNumber: 'INV-7' }],
    ['has another amount', { amount: { value: '30.01', currency: 'USD' } }],
    ['has another currency', { amount: { value: '30.00', currency: 'EUR' } }],
    ['is of another capture', { captureId: 'CAP-2' }],
    ['is of a sale', { captureId: undefined, saleId: 'SALE-1' }],
    ['has no reference, and does not show its capture', { captureId: undefined }],
    ['has our reference and another capture', { invoiceNumber: 're_1-0', captureId: 'CAP-2' }],
    [
      'has our reference and another amount',
      { invoiceNumber: 're_1-0', amount: { value: '1.00', currency: 'USD' } },
    ],
    ['was made long before', { createTime: new Date(begunAt - 60 * minute).toISOString() }],
  ])('is not the requested one if it %s', (_what, differences) => {
    expect(whyAnother(refund(differences), claim, attempts, sameClock)).toEqual(expect.any(String));
  });

  it('can be the requested one if it was made long before by a clock that is as far behind', () => {
    const behind = { clockOffsets: { least: -90 * minute, most: 0 } };
    const madeAt = (minutes: number) => ({ createTime: new Date(begunAt + minutes * minute).toISOString() });
    expect(whyAnother(refund(madeAt(-90)), claim, attempts, behind)).toBeUndefined();
    expect(whyAnother(refund(madeAt(-93)), claim, attempts, behind)).toEqual(expect.any(String));
  });
});

describe('an equal refund without a reference', () => {
  const [one, two] = [refund({ id: 'REF-1' }), refund({ id: 'REF-2' })];
  const undone = { commandId: 'cmd_1', decision: 'did_not_happen', reason: 'Not ours.' } as const;
  const naming = (resourceId: string) => ({ ...undone, resourceId });

  it('leaves it open whether ours was made, unless it is known as another’s', () => {
    expect(unclearAfter(undone, [one, two], ['REF-2'])).toEqual([one]);
    expect(unclearAfter(undone, [one, two], ['REF-1', 'REF-2'])).toEqual([]);
  });

  it('is another’s if the operator names it, and the others stay open', () => {
    expect(unclearAfter(naming('REF-1'), [one], [])).toEqual([]);
    expect(unclearAfter(naming('REF-1'), [one, two], [])).toEqual([two]);
  });

  it('is another’s with all others only if the operator names one of them and says that it is unverified', () => {
    const onWord = { isUnverified: true };
    expect(unclearAfter({ ...naming('REF-1'), ...onWord }, [one, two], [])).toEqual([]);
    expect(unclearAfter({ ...naming('REF-9'), ...onWord }, [one, two], [])).toEqual([one, two]);
    expect(unclearAfter({ ...undone, ...onWord }, [one], [])).toEqual([one]);
    expect(unclearAfter({ ...naming('REF-2'), ...onWord }, [one, two], ['REF-2'])).toEqual([one]);
  });

  it('stays open for the decision that ours happened', () => {
    const happened = { ...naming('REF-1'), decision: 'happened', isUnverified: true };
    expect(unclearAfter(happened, [one, two], [])).toEqual([one, two]);
  });
});

describe('a refund that a lookup finds', () => {
  it.each([
    ['is equal and has nobody’s reference', {}],
    ['leaves out its capture', { captureId: undefined }],
    ['does not tell when it was made', { createTime: undefined }],
    ['was made a little before, by another clock', { createTime: new Date(begunAt - 1_000).toISOString() }],
  ])('may be the requested one if it %s: no absence is proved', (_what, differences) => {
    expect(mayBeIt(refund(differences), claim, attempts, sameClock)).toBe(true);
  });

  it.each([
    ['has a reference', { invoiceNumber: 'INV-7' }],
    ['has another amount', { amount: { value: '30.01', currency: 'USD' } }],
    ['has another currency', { amount: { value: '30.00', currency: 'EUR' } }],
    ['is of another capture', { captureId: 'CAP-2' }],
    ['was made long before', { createTime: new Date(begunAt - 60 * minute).toISOString() }],
  ])('is not the requested one if it %s', (_what, differences) => {
    expect(mayBeIt(refund(differences), claim, attempts, sameClock)).toBe(false);
  });
});

it('a refund of which only a report or a denial is on record may be the requested one, and every other is not', () => {
  const statuses = ['observed', 'unfounded', 'pending', 'completed', 'failed', 'cancelled'] as const;
  const rows = statuses.map((status) => ({ id: `re_${status}`, status, provider_refund_id: status }));
  const unknown = { id: 're_9', status: 'pending', provider_refund_id: null } as const;
  expect(idsOfOthers([...rows, unknown])).toEqual(['pending', 'completed', 'failed', 'cancelled']);
});
