import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { balances, cardPayment, newAccount, newApplication, payment, VISA } from './payment-service.js';

describe('direct card payments', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const create = (body: object, headers = {}) => sandbox.call('POST', '/v1/payments/payment', body, headers);

  const fieldOf = async (payer: object) =>
    (await create(cardPayment({}, { payer }))).body.details[0].field as string;

  it('are approved at once, without an approval link, and show the last four digits only', async () => {
    const { status, body } = await create(cardPayment());
    expect(status).toBe(201);
    expect(body).toMatchObject({ state: 'approved', intent: 'authorize' });
    expect(body.payer).toEqual({
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card: {
            type: 'visa',
            number: 'xxxxxxxxxxxx0331',
            expire_month: '11',
            expire_year: '2040',
            first_name: 'Betsy',
            last_name: 'Buyer',
          },
        },
      ],
    });
    expect(body.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self']);
    expect(await payment(sandbox, body.id)).toEqual(body);
    const { authorization } = body.transactions[0].related_resources[0];
    expect(authorization.state).toBe('authorized');
    expect((await sandbox.capture(authorization.id, '7.00')).status).toBe(201);
    expect(await sandbox.booksOf(body.id)).toEqual(['hold 700', 'capture 700']);
  });

  it('move the money at once with intent sale, to the given payee', async () => {
    const shop = await newAccount(sandbox, { id: 'CARDSHOP', kind: 'business', email: 'cards@example.com' });
    const { body } = await create(
      cardPayment(
        { expire_month: 1, expire_year: 2041, cvv2: undefined },
        { intent: 'sale' },
        {
          payee: { email: 'cards@example.com' },
        },
      ),
    );
    expect(body.transactions[0].related_resources[0].sale.state).toBe('completed');
    const moved = await balances(sandbox, body.id);
    expect(moved[`payee:${shop.id}`]).toBe(700);
    expect(Object.keys(moved)).not.toContain('payer:SANDBOXPAYER1');
  });

  it('25: leave neither number nor cvv2 anywhere, accepted or refused', async () => {
    const bodies = [
      cardPayment(),
      cardPayment({ number: '4000000000000002' }),
      cardPayment({ number: '4417119669820332' }),
      cardPayment({ number: '4417 1196 6982 0331' }),
      cardPayment({}, { intent: 'guess' }),
      cardPayment({ colour: 'red' }),
    ];
    await sandbox.configure({ idempotency: 'all' });
    for (const [index, body] of bodies.entries()) {
      const answer = await create(body, { 'paypal-request-id': `card-${index}` });
      expect(JSON.stringify(answer.body)).not.toMatch(/4417119669820331|4000000000000002|"874"/);
    }
    const repeat = await create(cardPayment(), { 'paypal-request-id': 'card-0' });
    await sandbox.configure({});
    expect(repeat.body.state).toBe('approved');
    await sandbox.request('GET', '/admin/calls');
    const tables = await sandbox.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    for (const { tablename } of tables) {
      const [{ found }] = (await sandbox.sql(
        `SELECT count(*) AS found FROM ${String(tablename)} AS kept
         WHERE kept::text ~ '(4417119669820331|4000000000000002|4417119669820332|4417 1196|"874")'`,
      )) as [{ found: string }];
      expect([tablename, Number(found)]).toEqual([tablename, 0]);
    }
  });

  it.each<[string, object, string]>([
    ['a number without its check digit', { number: '4417119669820332' }, 'number'],
    ['a number that is none', { number: '4417-1196-6982-0331' }, 'number'],
    ['a type that contradicts the number', { type: 'mastercard' }, 'type'],
    ['an unknown type', { type: 'library' }, 'type'],
    ['a thirteenth month', { expire_month: '13' }, 'expire_month'],
    ['a year of two digits', { expire_year: '40' }, 'expire_year'],
    ['a cvv2 of a wrong length', { cvv2: '8740' }, 'cvv2'],
    [
      'a billing address without a country',
      { billing_address: { line1: '1 Main St' } },
      'billing_address.country_code',
    ],
    ['an unknown field', { pin: '1234' }, 'pin'],
  ])('are refused with %s, naming the field', async (_, card, field) => {
    const { status, body } = await create(cardPayment(card));
    expect(status).toBe(400);
    expect(body.details).toContainEqual({
      field: `payer.funding_instruments[0].credit_card.${field}`,
      issue: expect.any(String),
    });
  });

  it('are refused without an instrument, with two, with a stored card; so are instruments without a card', async () => {
    const card = { credit_card: VISA };
    expect(await fieldOf({ payment_method: 'credit_card' })).toBe('payer.funding_instruments');
    expect(await fieldOf({ payment_method: 'credit_card', funding_instruments: [card, card] })).toBe(
      'payer.funding_instruments',
    );
    expect(await fieldOf({ payment_method: 'credit_card', funding_instruments: [{}] })).toBe(
      'payer.funding_instruments[0].credit_card',
    );
    expect(
      await fieldOf({
        payment_method: 'credit_card',
        funding_instruments: [{ credit_card_token: { credit_card_id: 'CARD-1' } }],
      }),
    ).toBe('payer.funding_instruments[0].credit_card_token.credit_card_id');
    expect(await fieldOf({ payment_method: 'paypal', funding_instruments: [card] })).toBe(
      'payer.funding_instruments',
    );
  });

  it('that are declined or expired move nothing', async () => {
    const before = await sandbox.sql('SELECT count(*) AS payments FROM payments');
    expect((await create(cardPayment({ number: '4000000000000002' }))).body.name).toBe('CREDIT_CARD_REFUSED');
    const mastercard = { type: 'mastercard', number: '5100000000000008' };
    expect((await create(cardPayment(mastercard))).body.name).toBe('CREDIT_CARD_REFUSED');
    const amex = { type: 'amex', number: '370000000000002', cvv2: '1234' };
    expect((await create(cardPayment(amex))).body.name).toBe('CREDIT_CARD_REFUSED');
    expect((await create(cardPayment({ expire_year: '2018' }))).body.name).toBe('EXPIRED_CREDIT_CARD');
    expect(await sandbox.sql('SELECT count(*) AS payments FROM payments')).toEqual(before);

    await sandbox.configure({ cardExpiry: 'ignored' });
    const replayed = await create(cardPayment({ expire_year: '2018' }));
    await sandbox.configure({});
    expect(replayed.status).toBe(201);
  });

  it('are refused in configured countries, by the card’s billing address and by the application’s account', async () => {
    const address = { line1: '1 Main St', country_code: 'BR' };
    await sandbox.configure({ cardRefusedCountries: ['BR', 'IN'] });
    const bill = await create(cardPayment({ billing_address: address }));
    const elsewhere = await create(cardPayment({ billing_address: { ...address, country_code: 'US' } }));
    const wallet = await sandbox.createPayment();
    await sandbox.configure({});
    expect(bill.body).toMatchObject({
      name: 'CREDIT_CARD_REFUSED',
      details: [{ field: 'payer.funding_instruments[0].credit_card.billing_address.country_code' }],
    });
    expect([elsewhere.status, wallet.status]).toEqual([201, 201]);

    const settings = { accountId: 'INDIASHOP', cardRefusedCountries: ['BR', 'IN'] };
    const indian = await newApplication(sandbox, 'indian', settings);
    expect((await indian.call('POST', '/v1/payments/payment', cardPayment())).status).toBe(201);
    await sandbox.request('PATCH', '/admin/accounts/INDIASHOP', { countryCode: 'IN' });
    const owner = await indian.call('POST', '/v1/payments/payment', cardPayment());
    expect(owner.body).toMatchObject({
      name: 'UNSUPPORTED_PAYEE_COUNTRY',
      details: [{ field: 'payer.payment_method' }],
    });
  });
});
