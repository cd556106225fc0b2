import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { held, recordOf } from '#sandbox/calls/call-record.js';
import { excerptOf } from '#sandbox/calls/excerpt.js';

const KEPT = 16_384;
const LONG = 6 * 1024 * 1024;

interface StoredRecord {
  id: string;
  transaction_id: string | null;
  request_body: string | null;
  request_body_note: string | null;
  response_body: string | null;
}

const recorded = (requestBody: unknown, answer: unknown, secrets: string[] = []) => {
  const exchange = {
    url: '/v1/payments/payouts',
    requestHeaders: { 'content-type': 'application/json' },
    requestBody,
    responseHeaders: {},
    responseBody: JSON.stringify(answer) ?? null,
  };
  const call = {
    id: 'call-1',
    operation: 'payout.create' as const,
    method: 'POST',
    path: exchange.url,
    requestId: null,
    startedAt: new Date(),
    clientId: 'shop',
    fault: null,
  };
  const ended = { call, status: 400, finishedAt: new Date(), ...held(exchange) };
  return recordOf(ended, secrets) as StoredRecord;
};

/** Every step over a body is counted, also those over what is not kept. */
function counted(value: object, steps: { taken: number }): object {
  return new Proxy(value, {
    get: (target, name) => {
      steps.taken += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
}

describe('an unexpected body', () => {
  it.each([
    ['digits', '1'.repeat(LONG)],
    ['digits of no card', '3'.repeat(LONG)],
    ['digits in groups', '1 '.repeat(LONG / 2)],
    ['digits with wide gaps', '3   '.repeat(LONG / 4)],
    ['a bearer token', `bearer ${'a'.repeat(LONG)}`],
    ['an access token', `A21AA${'a'.repeat(LONG)}`],
    ['a word with an @', `${'a'.repeat(LONG)}@`],
    ['@ alone', '@'.repeat(LONG)],
    ['a parameter', `${'a'.repeat(LONG)}=x`],
    ['schemes', 'basic '.repeat(LONG / 6)],
    ['spaces', `basic${' '.repeat(LONG)}`],
  ])('is recorded as far as it is kept when it is %s without end', (_what, text) => {
    for (const body of [{ note: text }, { [text]: 1 }, [text]]) {
      const record = recorded(body, body);
      expect(record.request_body).not.toBeNull();
      expect(record.response_body).toBe(record.request_body);
      expect(record.request_body?.length).toBeLessThanOrEqual(KEPT);
      expect(record.request_body_note).toMatch(/^cut: only the first \d+ characters are kept$/);
    }
  });

  it('is recorded whatever JSON it is, and whatever its fields are called', () => {
    const name = fc.constantFrom(
      'access_token',
      'toString',
      'valueOf',
      '__proto__',
      'constructor',
      'path',
      'value',
    );
    const hostile = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(hostile, (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(recorded(parsed, parsed).request_body_note ?? '').not.toContain('could not be redacted');
      }),
      { numRuns: 500 },
    );
  });

  it('costs no more steps than there are parts to keep', () => {
    const steps = { taken: 0 };
    const items = Array.from({ length: 200_000 }, (_, place) => ({ receiver: `${place}@person.example` }));
    const record = recorded({ items: counted(items, steps) }, undefined);
    expect(record.request_body).not.toContain('@');
    expect(steps.taken).toBeLessThan(KEPT);
    expect(
      held({ url: '', requestHeaders: {}, requestBody: items, responseHeaders: {}, responseBody: null }).size,
    ).toBeLessThan(2 * KEPT);
  });

  it('shows no part of a secret that was cut in two', () => {
    const secret = 'S3cr3tOfTheShop'.repeat(4);
    fc.assert(
      fc.property(
        fc.integer({ min: KEPT - 300, max: KEPT + 1_300 }),
        fc.constantFrom('x', 'a@b.example ', '4111111111111111 '),
        (place, filler) => {
          const before = filler.repeat(KEPT).slice(0, place);
          const kept =
            recorded({ note: `${before} ${secret} ${before}` }, undefined, [secret]).request_body ?? '';
          expect(kept).not.toContain(secret.slice(0, 8));
        },
      ),
    );
  });

  it('is held in memory by its beginning only, and counts for that', () => {
    const { value, size, isCut } = excerptOf({ a: 'x'.repeat(LONG), b: 1 });
    expect(isCut).toBe(true);
    expect(JSON.stringify(value).length).toBeLessThan(KEPT + 2_000);
    expect(size).toBeGreaterThanOrEqual(KEPT);
  });

  it('hides nothing of the call itself when it cannot be recorded', () => {
    const record = recordOf(
      {
        call: {
          id: 'call-2',
          operation: 'payment.get',
          method: 'GET',
          path: '/v1/payments/payment/PAY-1',
          requestId: null,
          startedAt: new Date(),
          clientId: null,
          fault: null,
        },
        status: 200,
        finishedAt: new Date(),
        size: 0,
        exchange: {
          url: '/',
          requestHeaders: {},
          requestBody: { value: { big: 1n }, isCut: false, size: 0 },
          responseHeaders: {},
          responseBody: '{}',
        },
      },
      [],
    ) as StoredRecord;
    expect(record).toMatchObject({
      id: 'call-2',
      transaction_id: 'PAY-1',
      request_body_note: 'not kept: it could not be redacted',
    });
  });
});
