import { describe, expect, test } from 'vitest';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { openStep, idle, routeOf } from './routed-payments.js';

const usd = (minor: number) => ({ minor, currency: 'USD' });

const saleEvent = (state: string, id = 'SALE') => ({ kind: 'sale', id, state }) as const;

describe('an event about a sale', () => {
  const pending: PaymentState = {
    ...idle,
    status: 'pending',
    sale: { saleId: 'SALE', minor: 10_000, status: 'pending' },
  };
  const taken = { saleId: 'SALE', minor: 10_000 } as const;
  const completed: PaymentState = {
    ...pending,
    status: 'completed',
    sale: { ...taken, status: 'completed' },
  };

  test('makes the run read the provider, whatever it says', () => {
    for (const state of ['completed', 'denied', 'a_state_of_next_year']) {
      expect(routeOf(pending, saleEvent(state))).toMatchObject({
        kind: 'signal',
        message: { event: { type: 'providerNotified' } },
      });
    }
  });

  test('waits for the answer to the execution when it comes before it', () => {
    const executing: PaymentState = { ...idle, status: 'executing', openStep: openStep! };
    expect(routeOf(executing, saleEvent('completed'))).toMatchObject({ kind: 'setStatus', status: 'parked' });
  });

  test('case 10: pending and completed after the end add nothing', () => {
    for (const state of ['pending', 'completed']) {
      expect(routeOf(completed, saleEvent(state))).toMatchObject({ kind: 'setStatus', status: 'applied' });
    }
  });

  test.each([
    ['is denied, and completed on record', completed, saleEvent('denied')],
    ['is another one', completed, saleEvent('completed', 'SALE-2')],
    [
      'is completed, and denied on record',
      { ...pending, status: 'declined', sale: { ...taken, status: 'denied' } },
      saleEvent('completed'),
    ],
    ['was taken for a payment that expired', { ...idle, status: 'expired' }, saleEvent('completed')],
    ['has another amount', completed, { ...saleEvent('completed'), amount: usd(1) }],
  ] as const)('case 11: is a conflict after the end if the sale %s', (_what, state, reported) => {
    expect(routeOf(state, reported)).toMatchObject({ kind: 'setStatus', status: 'conflict' });
  });
});
