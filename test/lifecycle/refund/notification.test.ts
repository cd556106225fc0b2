import { describe, expect, it } from 'vitest';
import type { NotifiedResource } from '#workflows/lifecycle';
import {
  contradictsRefund,
  isLate,
  isRefundAlreadyKnown,
  providerRefundIdOf,
} from '#workflows/lifecycle/refund';
import { observed, pendingRequest, refund, request } from './sample-refunds.js';

const event = (state: string, changes: Partial<NotifiedResource> = {}): NotifiedResource => ({
  kind: 'refund',
  id: 'REF-1',
  state,
  ...changes,
});

describe('an event about a refund', () => {
  it('is already known only when the record says the same, and has ended', () => {
    expect(isRefundAlreadyKnown(refund('completed'), event('completed'))).toBe(true);
    expect(isRefundAlreadyKnown(refund('failed'), event('failed'))).toBe(true);
    expect(isRefundAlreadyKnown(refund('failed'), event('completed'))).toBe(false);
    expect(isRefundAlreadyKnown(refund('pending'), event('pending'))).toBe(false);
    expect(isRefundAlreadyKnown(refund('completed'), event('completed', { kind: 'capture' }))).toBe(false);
  });

  it('contradicts a record that has ended without a refund', () => {
    expect(contradictsRefund(refund('failed'), event('completed'))).toBe(true);
    expect(contradictsRefund(refund('declined'), event('completed'))).toBe(true);
    expect(contradictsRefund(refund('completed'), event('completed'))).toBe(false);
    expect(contradictsRefund(refund('pending'), event('completed'))).toBe(false);
    expect(contradictsRefund(refund('failed'), event('pending'))).toBe(false);
    expect(contradictsRefund(refund('failed'), event('completed', { kind: 'capture' }))).toBe(false);
  });

  it('is late when it reports a completed refund with an unknown id, and the request was given up', () => {
    const { openStep: _given, ...undone } = request();
    const givenUp = { ...undone, status: 'failed' } as const;
    expect(isLate(givenUp, event('completed'))).toBe(true);
    expect(isLate(givenUp, event('completed', { id: '' }))).toBe(false);
    expect(isLate(givenUp, event('pending'))).toBe(false);
    expect(isLate({ ...givenUp, providerRefundId: 'REF-1' }, event('completed'))).toBe(false);
    expect(isLate(refund('failed'), event('completed'))).toBe(false);
    expect(isLate(request(), event('completed'))).toBe(false);
  });
});

it('a refund is known at the provider by the id from its report or from its answer', () => {
  expect(providerRefundIdOf(observed())).toBe('REF-1');
  expect(providerRefundIdOf({ ...pendingRequest(), providerRefundId: 'REF-2' })).toBe('REF-2');
  expect(providerRefundIdOf(request())).toBeUndefined();
});
