import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsIn, Redaction } from '#sandbox/calls/redaction.js';

const none = new Redaction([]);

const alphanumeric = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const token = fc
  .array(fc.constantFrom(...alphanumeric.split('')), { minLength: 16, maxLength: 60 })
  .map((signs) => signs.join(''));

/** Any JSON with `secret` somewhere in it: as a value, inside a text, in a name, at any depth. */
const jsonWith = (secret: string, name: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.tuple(fc.boolean(), fc.string(), name)), name)
    .map(([bystander, path, last]) => {
      let value: unknown = { [last]: secret, bystander };
      for (const [isList, other, key] of path)
        value = isList ? [other, value, bystander] : { [key]: value, other };
      return value;
    });

const secretName = fc.constantFrom(
  'client_secret',
  'Client-Secret',
  'access_token',
  'password',
  'userPassword',
  'cvv2',
  'card_number',
  'cookie',
  'Authorization',
  'transmission_sig',
  'x-api-key',
  'token',
);
const anyName = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('description', 'note', 'custom', 'links', 'url'),
);

/** What a caller sends as its bearer token, in another place than the header for it. */
const planted = token.chain((secret) =>
  fc.tuple(
    fc.constant(secret),
    fc.oneof(
      jsonWith(secret, anyName),
      fc
        .tuple(fc.string(), fc.string())
        .chain(([before, after]) => jsonWith(before + secret + after, anyName)),
      jsonWith('x', fc.constant(secret)),
    ),
  ),
);

describe('the stored record of a call', () => {
  it('holds nothing under the name of a secret, at any depth', () => {
    const cases = token.chain((secret) => fc.tuple(fc.constant(secret), jsonWith(secret, secretName)));
    fc.assert(
      fc.property(cases, ([secret, value]) => {
        expect(JSON.stringify(none.json(value))).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  it('holds no credential of the call, even if the caller repeats it in a value or name', () => {
    fc.assert(
      fc.property(planted, ([secret, value]) => {
        const redaction = new Redaction(credentialsIn(`Bearer ${secret}`, undefined));
        expect(JSON.stringify(redaction.json(value))).not.toContain(secret);
        expect(redaction.path(`/v1/${encodeURIComponent(secret)}/x`)).not.toContain(secret);
        expect(redaction.query(`a=1&b=${secret}&${secret}=c&${secret}`)).not.toContain(secret);
        expect(JSON.stringify(redaction.headers({ 'x-note': `is ${secret}!`, [secret]: 'x' }))).not.toContain(
          secret,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('holds no client secret, and no access token that was issued', () => {
    fc.assert(
      fc.property(token, token, (secret, issued) => {
        const header = `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}`;
        const redaction = new Redaction(credentialsIn(header, { access_token: issued }));
        const stored = JSON.stringify([
          redaction.headers({ authorization: header, 'x-a': secret }),
          redaction.json({ access_token: issued, scope: `of ${issued}`, note: header }),
          redaction.query(`client_secret=${secret}&x=${issued}`),
        ]);
        for (const gone of [secret, issued, header.slice('Basic '.length)])
          expect(stored).not.toContain(gone);
      }),
    );
  });

  it('holds no e-mail address, wherever it is and however it is encoded', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.lorem(), (email, words) => {
        const stored = JSON.stringify([
          none.json({ description: `${words} <${email}> ${words}`, [email]: [email], payee: { email } }),
          none.headers({ from: email, referer: `http://shop/?who=${encodeURIComponent(email)}` }),
          none.query(`a=${email}&b=${encodeURIComponent(email)}&${encodeURIComponent(email)}`),
          none.path(`/v1/x/${encodeURIComponent(email)}/${email.replaceAll('/', '%2F')}`),
        ]);
        expect(stored).not.toContain(email.slice(email.indexOf('@')));
        expect(stored).not.toContain(encodeURIComponent(email));
      }),
      { numRuns: 500 },
    );
  });

  it('holds no name, telephone number or street of a payer', () => {
    const info = { first_name: 'Ada', last_name: 'Lovelace', phone: '+44 20', payer_id: 'P1' };
    const address = { line1: '12 Square', recipient_name: 'Ada L', city: 'London', country_code: 'GB' };
    expect(none.json({ payer: { payer_info: { ...info, shipping_address: address } } })).toEqual({
      payer: {
        payer_info: {
          first_name: '[personal]',
          last_name: '[personal]',
          phone: '[personal]',
          payer_id: 'P1',
          shipping_address: {
            line1: '[personal]',
            recipient_name: '[personal]',
            city: 'London',
            country_code: 'GB',
          },
        },
      },
    });
  });

  it.each([
    'phone',
    'shipping_phone_number',
    'contact-phone',
    'phone_no',
    'mobileNumber',
    'payer_email_address',
  ])('holds no %s, in a body, a patch of it or a list', (name) => {
    const planted = '+49 170 5550199';
    const values = [
      { item_list: { [name]: planted } },
      { [name]: [planted, Number(planted.replaceAll(/\D/g, ''))] },
      [{ op: 'add', path: `/transactions/0/item_list/${name}`, value: planted }],
    ];
    expect(JSON.stringify(none.json(values))).not.toContain('555');
  });

  it('holds no header that may authenticate its sender', () => {
    const names = [
      'x-vault-token',
      'private-token',
      'x-auth',
      'x-csrf',
      'x-session',
      'X-Api-Key',
      'x-hub-signature',
    ];
    const planted = Object.fromEntries([...names, 'x-my-secret', 'cookie2'].map((name) => [name, 'planted']));
    expect(Object.values(none.headers(planted))).toEqual(Object.keys(planted).map(() => '[redacted]'));
    expect(none.headers({ 'x-note': 'open', host: 'h' })).toEqual({ 'x-note': 'open', host: 'h' });
  });

  it('holds no mistyped card number in the place of a card number', () => {
    const card = { type: 'visa', number: '4111111111111112', cvv2: '123', expire_year: '2030' };
    expect(none.json({ credit_card: card })).toEqual({
      credit_card: { type: 'visa', number: '[redacted]', cvv2: '[redacted]', expire_year: '2030' },
    });
  });

  it('shows the receiver of a webhook’s address, never the secret in it', () => {
    const url = 'https://engine.example/hooks/shop/9f8e7d6c5b4a39281706?k=v';
    const open = 'https://engine.example/hooks/shop/[redacted]?[redacted]';
    expect(none.json({ url })).toEqual({ url: open });
    for (const path of ['/url', 'url', 'URL/'])
      expect(none.json([{ op: 'replace', path, value: url }])).toEqual([
        { op: 'replace', path, value: open },
      ]);
  });

  it('keeps what operators look for: ids, references, amounts, instants, resources', () => {
    const open = {
      id: 'PAY-8X7W2J8K4N9P0Q1R2S3T4V5W',
      state: 'approved',
      create_time: '2026-11-21T14:30:00.123Z',
      transactions: [
        {
          amount: { total: '1234567.89', currency: 'USD' },
          invoice_number: '0193e5f2-4111-7111-8111-111111111111',
          custom: 'order 1732199460000',
          related_resources: [{ authorization: { id: '4F1', authorization_id: 'x', valid_until: 'y' } }],
        },
      ],
      links: [
        { href: 'http://127.0.0.1:4000/v1/payments/payment/PAY-1?count=1', rel: 'self', method: 'GET' },
      ],
      token_type: 'Bearer',
      count: 17,
      missing: null,
    };
    expect(none.json(open)).toEqual(open);
    expect(none.path('/v1/payments/authorization/8X7W2J8K4N9P0Q1R2/capture')).toBe(
      '/v1/payments/authorization/8X7W2J8K4N9P0Q1R2/capture',
    );
    expect(none.query('count=10&start_time=2026-11-21T14%3A30%3A00Z')).toBe(
      'count=10&start_time=2026-11-21T14%3A30%3A00Z',
    );
  });

  it('masks the approval token in a link, because whoever has it can act as the payer', () => {
    expect(none.text('http://127.0.0.1:4000/checkout?token=EC-8X7W2J8K4N9P0Q1R2&x=1')).toBe(
      'http://127.0.0.1:4000/checkout?token=[redacted]&x=1',
    );
  });

  it('masks the approval token of an agreement in its link and in calls', () => {
    const token = 'EC-8X7W2J8K4N9P0Q1R2';
    const open = '/v1/payments/billing-agreements/[redacted]/agreement-execute';
    expect(none.path(open.replace('[redacted]', token))).toBe(open);
    expect(
      none.json({ links: [{ href: `http://127.0.0.1:4000${open.replace('[redacted]', token)}` }] }),
    ).toEqual({
      links: [{ href: `http://127.0.0.1:4000${open}` }],
    });
  });

  it('treats only text as a token in an answer', () => {
    const hostile: unknown = JSON.parse('{"access_token": {"toString": 1, "valueOf": 1}}');
    expect(credentialsIn('Bearer abc', hostile)).toEqual(['abc']);
  });

  it('drops what it cannot decode', () => {
    expect(none.query('a=%E0%A4%A&b=1')).toBe('a=[redacted]&b=1');
    expect(none.path('/v1/%zz/x')).toBe('/v1/[redacted]/x');
  });
});
