import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findKey } from '#api/auth/api-keys.js';
import { bodyHash } from '#api/commands/idempotency.js';
import { idCursor } from '#api/wire/pages.js';
import { newId, paymentIdPattern } from '#api/wire/ids.js';
import { maskEmail } from '#api/payments/redacted-text.js';
import { withoutEmails } from '#database/text';
import { storedPayload } from '#webhook-inbox/stored-payload.js';

describe('a payment’s id', () => {
  test('sorts by age, in bytes as in PostgreSQL', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 47), fc.nat(2 ** 47), (one, other) => {
        fc.pre(one < other);
        expect(newId('payment', one) < newId('payment', other)).toBe(true);
      }),
    );
  });

  test('never repeats, and always has the same format', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('payment', 1_750_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(paymentIdPattern);
  });

  test('is restored from its cursor, and a cursor yields nothing else', () => {
    const id = newId('payment', Date.now());
    const { read, write } = idCursor('payment');
    expect(read(write(id))).toBe(id);
    fc.assert(fc.property(fc.string(), (text) => read(text) === undefined));
  });
});

describe('a body’s hash', () => {
  test('is the same for the same content, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const reordered = Object.fromEntries(Object.entries(body).toReversed());
        expect(bodyHash(reordered)).toBe(bodyHash(body));
      }),
    );
  });

  test('differs for other content', () => {
    expect(bodyHash({ a: { b: 1 } })).not.toBe(bodyHash({ a: { b: '1' } }));
    expect(bodyHash({ a: [1, 2] })).not.toBe(bodyHash({ a: [2, 1] }));
    expect(bodyHash({ a: undefined })).toBe(bodyHash({}));
  });
});

describe('what is stored', () => {
  test('of an e-mail address does not reveal whose it is', () => {
    expect(maskEmail('bob@example.com')).toBe('b…@e…');
    expect(withoutEmails('ask bob@example.com, or <eve@mail.example>')).toBe('ask [redacted] or [redacted]');
  });

  test('of any event holds no e-mail address and is JSON that PostgreSQL takes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.emailAddress(), (value, email) => {
        const stored = JSON.stringify(
          storedPayload({ resource: { custom: value, payer: email, summary: email } }),
        );
        expect(stored).not.toContain(email);
        expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
    );
  });
});

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

test('of an API key is a hash, which only the whole key matches', () => {
  const keys = ['one', 'two'].map((id) => ({
    id,
    sha256: hash(`key-${id}`),
    environment: 'sandbox',
    application: id,
  }));
  expect(findKey(keys, 'Bearer key-two')).toBe(keys[1]);
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer key-tw',
    'Bearer key-two2',
    `Bearer ${hash('key-two')}`,
  ]) {
    expect(findKey(keys, header)).toBeUndefined();
  }
});
