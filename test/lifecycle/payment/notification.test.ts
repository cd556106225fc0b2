import { describe, expect, it } from 'vitest';
import type { NotifiedResource } from '#workflows/lifecycle';
import {
  isAlreadyKnown,
  type PaymentState,
  type PaymentStatus,
  paymentStatuses,
} from '#workflows/lifecycle/payment';
import { capture, payment } from './sample-payments.js';

const authorizationEvent = (state: string, id = 'AUTH-1'): NotifiedResource => ({
  kind: 'authorization',
  id,
  state,
});
const captureEvent = (state: string, id = 'CAP-1'): NotifiedResource => ({ kind: 'capture', id, state });

/** The statuses in which a webhook about the sample payment tells nothing that its rows do not say. */
const known: readonly (readonly [string, NotifiedResource, readonly PaymentStatus[]])[] = [
  ['payment approved', { kind: 'payment', id: 'PAY-1', state: 'approved' },
    ['authorized', 'capturing', 'partially_captured', 'reauthorizing', 'captured', 'voiding', 'voided', 'pending', 'completed',
      'declined', 'cancelled', 'expired', 'needs_review']],
  ['authorization authorized', authorizationEvent('authorized'),
    ['authorized', 'capturing', 'partially_captured', 'captured', 'voiding', 'voided', 'needs_review']],
  ['authorization partially captured', authorizationEvent('partially_captured'), ['partially_captured', 'captured']],
  ['authorization captured', authorizationEvent('captured'), ['captured']],
  ['authorization voided', authorizationEvent('voided'), ['voided']],
  ['authorization expired', authorizationEvent('expired'), ['voided']],
  ['authorization denied', authorizationEvent('denied'), []],
  ['authorization in an unknown state', authorizationEvent('a_state_of_next_year'), []],
  ['authorization of another id', authorizationEvent('authorized', 'AUTH-2'), []],
  ['capture completed', captureEvent('completed'),
    ['capturing', 'partially_captured', 'reauthorizing', 'captured', 'needs_review']],
  ['capture pending, late', captureEvent('pending'),
    ['capturing', 'partially_captured', 'reauthorizing', 'captured', 'needs_review']],
  ['capture denied', captureEvent('denied'), []],
  ['capture refunded', captureEvent('refunded'), []],
  ['capture of another id', captureEvent('completed', 'CAP-9'), []],
  ['anything else', { kind: 'other', id: 'X-1', state: 'completed' }, []],
]; // prettier-ignore

describe('a webhook event', () => {
  it.each(known)('%s: tells nothing new', (_what, resource, statuses) => {
    expect(paymentStatuses.filter((status) => isAlreadyKnown(payment(status), resource))).toEqual(
      paymentStatuses.filter((status) => statuses.includes(status)),
    );
  });

  it('about a capture that we know as pending is news when it says completed', () => {
    const pending: PaymentState = {
      ...payment('capturing'),
      captures: [capture(40_00, { status: 'pending' })],
    };
    expect(isAlreadyKnown(pending, captureEvent('completed'))).toBe(false);
    expect(isAlreadyKnown(pending, captureEvent('pending'))).toBe(true);
  });

  it('of a voided rest tells nothing new to a payment that released it, and contradicts one that captured it all', () => {
    const released = { ...payment('captured'), released: true };
    expect(isAlreadyKnown(released, authorizationEvent('voided'))).toBe(true);
    expect(isAlreadyKnown(payment('captured'), authorizationEvent('voided'))).toBe(false);
  });
});
