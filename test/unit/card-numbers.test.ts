import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '#api/wire/ids.js';
import { hasCardNumber, withoutCardNumbers } from '#database/text/card-numbers.js';

const randomInt = (below: number) => Math.floor(Math.random() * below);

/** Numbers that issuers publish for tests. */
const published = [
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '30569309025904',
  '3530111333300000',
  '6011111111111117',
  '6200000000000005',
  '6304000000000000',
];

describe('a card number', () => {
  it.each(published)('is recognized: %s', (number) => {
    expect(withoutCardNumbers(number)).toBe('[card number]');
    expect(withoutCardNumbers(`pay with ${number}, 12/29`)).toBe('pay with [card number], 12/29');
  });

  it.each([
    'card 4111 1111 1111 1111 please',
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111 - 1111 - 1111 - 1111',
    '4111\u00a01111\u00a01111\u00a01111',
    '4111\u200b1111\u200b1111\u200b1111',
    '3782 822463 10005',
    'PAN4111111111111111',
    'nr_4111111111111111_x',
    'https://shop.example/?card=4111111111111111&x=1',
    '４１１１１１１１１１１１１１１１',
    '4111 1111 1111 1111 123',
    '12 4111 1111 1111 1111',
    '(4111111111111111)',
    '4111111111111111|1229|123',
  ])('is recognized however it is written: %s', (text) => {
    expect(hasCardNumber(text)).toBe(true);
    expect(withoutCardNumbers(text)).not.toMatch(/1111|822463|１１１１/);
  });

  it('is removed wherever it is, and nothing else is', () => {
    expect(withoutCardNumbers('a 4111111111111111 b 5555 5555 5555 4444 c 2030-01-31')).toBe(
      'a [card number] b [card number] c 2030-01-31',
    );
  });
});

describe('a number that is not a card’s', () => {
  it.each([
    ['a wrong check digit', '4111111111111112'],
    ['a beginning that nobody issues', '1111111111111117'],
    ['a telephone number', '+4222222222222'],
    ['a part of a longer number', '41111111111111110000'],
    ['an amount with a fraction', '4111111111111111.25'],
    ['a part of a word of letters and digits', 'WH-2WR32451HC0233532-67976317FL4543714'],
    ['an instant', '2030-01-31T12:00:00.000Z'],
    ['a date, an hour and a number', '2026-11-22 16:01 4711'],
    ['an address', '10.0.0.1:4111'],
    ['a capture', '8MC585209K746392H'],
  ])('is %s', (_what, text) => {
    expect(withoutCardNumbers(text)).toBe(text);
  });

  it('is more than one of a million ids and instants that this engine makes', { timeout: 300_000 }, () => {
    const base = Date.UTC(2024, 0, 1);
    const makers = [
      () => newId('payment', base + randomInt(2 ** 40)),
      () => newId('payout', base + randomInt(2 ** 40)),
      () => `cmd_${randomBytes(16).toString('hex')}`,
      () => `req_${randomBytes(12).toString('hex')}`,
      () => randomUUID(),
      () => randomBytes(24).toString('base64url'),
      () => String(base + randomInt(2 ** 40)),
      () => new Date(base + randomInt(2 ** 40)).toISOString(),
      () => `payer-approved:${randomBytes(6).toString('hex').toUpperCase()}:${randomInt(1_000)}`,
      () => `k1:${randomBytes(32).toString('base64')}`,
    ];
    const mistaken: string[] = [];
    // Random hexadecimal digits can be a card number by chance.
    for (let i = 0; i < 1_000_000; i++) {
      const text = makers[i % makers.length]?.() ?? '';
      if (hasCardNumber(text)) mistaken.push(text);
    }
    expect(mistaken.slice(1)).toEqual([]);
  });

  it('is at most one in thirty of random order numbers of sixteen digits', () => {
    const tries = 100_000;
    let mistaken = 0;
    for (let i = 0; i < tries; i++) {
      const digits = Array.from({ length: 16 }, () => randomInt(10)).join('');
      if (hasCardNumber(`order-${digits}`)) mistaken += 1;
    }
    expect(mistaken / tries).toBeLessThan(1 / 30);
  });
});
