import { describe, expect, it } from 'vitest';
import { describedCalls, judgeAnswer } from './descriptions.js';

const PATH = '/v1/payments/authorization/3BA12345CD6789012';
const AMOUNT = { total: '1.00', currency: 'USD' };

const faultsOf = (status: number, body: unknown) => judgeAnswer('GET', PATH, status, body)?.faults;

describe('the check by public descriptions', () => {
  it('covers payments, notifications and payouts', () => {
    expect(describedCalls.length).toBe(30);
  });

  it('finds nothing wrong with what is as described, and with fields that are not described', () => {
    expect(faultsOf(200, { id: 'A', state: 'authorized', amount: AMOUNT, another: true })).toEqual([]);
    expect(faultsOf(404, { name: 'INVALID_RESOURCE_ID', message: 'None', debug_id: '1' })).toEqual([]);
  });

  it('finds an unknown state, a wrong type, a wrong format, a missing field and an undescribed status', () => {
    const wrong = { state: 'lost', amount: { total: 1 }, create_time: 'today', links: [{ rel: 'self' }] };
    expect(faultsOf(200, wrong)?.join('\n')).toMatch(
      /\/state[\s\S]*\/create_time|\/create_time[\s\S]*\/state/,
    );
    expect(faultsOf(200, wrong)).toHaveLength(5);
    expect(faultsOf(404, { name: 'INVALID_RESOURCE_ID' })).toHaveLength(2);
    expect(faultsOf(201, { amount: AMOUNT })).toEqual(['status 201 is not described']);
  });

  it('does not judge what is not public', () => {
    expect(judgeAnswer('GET', '/admin/books/check', 200, {})).toBeUndefined();
  });
});
