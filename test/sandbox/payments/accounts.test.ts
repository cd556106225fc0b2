import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, SandboxFixture } from '../sandbox-fixture.js';
import { approveFrom, balances, execute, newAccount, payment } from './payment-service.js';

describe('sandbox accounts', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const create = (account: object) => sandbox.request('POST', '/admin/accounts', account);

  it('begin with one default payer in each environment', async () => {
    const { body } = await sandbox.request('GET', '/admin/accounts?kind=personal');
    expect(body.accounts).toMatchObject([
      { id: 'LIVEPAYER1', environment: 'live', kind: 'personal', fundingDeclines: false },
      { id: PAYER_ID, environment: 'sandbox', kind: 'personal', fundingDeclines: false },
    ]);
  });

  it('are created, changed and listed page by page', async () => {
    const { status, body } = await create({
      kind: 'business',
      email: 'Made@example.com',
      businessName: 'Tea House',
      countryCode: 'GB',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ environment: 'sandbox', kind: 'business', countryCode: 'GB' });
    const changed = await sandbox.request('PATCH', `/admin/accounts/${body.id}`, { fundingDeclines: true });
    expect(changed.body).toEqual({ ...body, fundingDeclines: true });

    const seen: string[] = [];
    for (let after = ''; ;) {
      const page = await sandbox.request('GET', `/admin/accounts?limit=1${after && `&after=${after}`}`);
      seen.push(...page.body.accounts.map(({ id }: { id: string }) => id));
      if (page.body.next === undefined) break;
      after = page.body.next;
    }
    const all = (await sandbox.request('GET', '/admin/accounts')).body.accounts;
    expect(seen).toEqual(all.map(({ id }: { id: string }) => id));
  });

  it.each<[string, object, string]>([
    ['no e-mail', { kind: 'personal' }, 'email'],
    ['no e-mail address', { email: 'nobody' }, 'email'],
    ['an unknown kind', { email: 'k@example.com', kind: 'robot' }, 'kind'],
    ['a country that is none', { email: 'c@example.com', countryCode: 'Utopia' }, 'countryCode'],
    ['an unknown field', { email: 'f@example.com', balance: 5 }, 'balance'],
  ])('are refused with %s', async (_, account, field) => {
    const { status, body } = await create(account);
    expect(status).toBe(400);
    expect(body.details).toContainEqual({ field, issue: expect.any(String) });
  });

  it('have an e-mail address of their own in each environment', async () => {
    await newAccount(sandbox, { email: 'one@example.com' });
    const twin = await create({ email: 'ONE@example.com' });
    expect(twin.body.details[0].field).toBe('email');
    expect((await create({ email: 'one@example.com', environment: 'live' })).status).toBe(201);
    expect((await create({ id: PAYER_ID, email: 'two@example.com' })).body.details[0].field).toBe('id');
    const change = await sandbox.request('PATCH', `/admin/accounts/${PAYER_ID}`, {
      email: 'one@example.com',
    });
    expect(change.status).toBe(400);
    expect((await sandbox.request('PATCH', '/admin/accounts/NONE', { countryCode: 'DE' })).status).toBe(404);
    expect((await sandbox.request('PATCH', `/admin/accounts/${PAYER_ID}`, {})).status).toBe(400);
  });

  it('are credited when a payee names their e-mail, before and after it is known', async () => {
    const pay = async (email: string) => {
      const { paymentId } = await sandbox.authorized({
        intent: 'authorize',
        transaction: { payee: { email } },
      });
      return (await payment(sandbox, paymentId)).transactions[0].payee.merchant_id as string;
    };
    const before = await pay('later@example.com');
    const { id } = await newAccount(sandbox, { kind: 'business', email: 'Later@example.com' });
    expect([id, await pay('LATER@example.com')]).toEqual([before, before]);

    const named = await newAccount(sandbox, { id: 'TEAHOUSE', kind: 'business', email: 'tea@example.com' });
    expect(await pay('tea@example.com')).toBe(named.id);
    await sandbox.restart();
    expect(await pay('tea@example.com')).toBe(named.id);
  });

  it('that gave an address up are not credited for it, and the next owner has its own account', async () => {
    const payeeOf = async (email: string): Promise<string> => {
      const { body } = await sandbox.createPayment({ intent: 'sale', transaction: { payee: { email } } });
      return body.transactions[0].payee.merchant_id;
    };
    for (const environment of ['sandbox', 'live']) {
      const given = { environment, kind: 'business', email: `old@${environment}.example` };
      const first = await newAccount(sandbox, given);
      const away = { email: `new@${environment}.example` };
      await sandbox.request('PATCH', `/admin/accounts/${first.id}`, away);
      const second = await newAccount(sandbox, given);
      expect(second.id).not.toBe(first.id);
      expect((await create(given)).body.details[0].field).toBe('email');
      expect((await create({ ...given, ...away })).body.details[0].field).toBe('email');
    }
    const first = await newAccount(sandbox, { kind: 'business', email: 'left@example.com' });
    await sandbox.request('PATCH', `/admin/accounts/${first.id}`, { email: 'moved@example.com' });
    const unknown = await payeeOf('LEFT@example.com');
    expect(unknown).not.toBe(first.id);
    await sandbox.restart();
    expect([await payeeOf('left@example.com'), await payeeOf('moved@example.com')]).toEqual([
      unknown,
      first.id,
    ]);
    const second = await newAccount(sandbox, { kind: 'business', email: 'left@example.com' });
    expect(second.id).toBe(unknown);
    await sandbox.request('PATCH', `/admin/accounts/${second.id}`, { email: 'left-too@example.com' });
    expect([first.id, second.id]).not.toContain(await payeeOf('left@example.com'));
  });

  it('that take a derived id in the other environment do not change the address’s account here', async () => {
    const pay = async () =>
      (
        await sandbox.createPayment({
          intent: 'sale',
          transaction: { payee: { email: 'taken@example.com' } },
        })
      ).body.transactions[0].payee.merchant_id as string;
    const id = await pay();
    await newAccount(sandbox, { id, environment: 'live', email: 'other@example.com' });
    expect(await pay()).not.toBe(id);
    await newAccount(sandbox, { email: 'taken@example.com' });
  });

  it('are read as they are in the database, however many changes come at once', async () => {
    const { id } = await newAccount(sandbox, { kind: 'business', email: 'race@example.com' });
    for (let round = 0; round < 5; round += 1) {
      const changes = [0, 1, 2, 3].map((n) => ({ email: `race-${round}-${n}@example.com` }));
      await Promise.all(changes.map((change) => sandbox.request('PATCH', `/admin/accounts/${id}`, change)));
      const [row] = await sandbox.sql(`SELECT email FROM accounts WHERE id = '${id}'`);
      const { body } = await sandbox.createPayment({ transaction: { payee: { email: row?.['email'] } } });
      expect(body.transactions[0].payee.merchant_id).toBe(id);
    }
  });

  it('pay when the payer chooses them, and are shown in the payment’s answers', async () => {
    const anna = await newAccount(sandbox, {
      email: 'anna@example.com',
      firstName: 'Anna',
      lastName: 'Gruneberg',
      countryCode: 'DE',
    });
    const { body: created } = await sandbox.createPayment({ intent: 'sale' });
    const approval = await approveFrom(sandbox, created.id, anna.id);
    expect(new URL(approval.body.redirectUrl).searchParams.get('PayerID')).toBe(anna.id);
    expect((await execute(sandbox, created.id, PAYER_ID)).body.name).toBe('INVALID_PAYER_ID');
    const executed = await execute(sandbox, created.id, anna.id);
    expect(executed.body.payer).toEqual({
      payment_method: 'wallet',
      status: 'VERIFIED',
      payer_info: {
        payer_id: anna.id,
        email: 'anna@example.com',
        first_name: 'Anna',
        last_name: 'Gruneberg',
        country_code: 'DE',
      },
    });
    const payee: string = executed.body.transactions[0].payee.merchant_id;
    expect(await balances(sandbox, created.id)).toEqual({
      [`payer:${anna.id}`]: -10000,
      [`payee:${payee}`]: 10000,
    });
  });

  it('that are unknown, or a business’s, cannot be chosen to pay', async () => {
    const shop = await newAccount(sandbox, { kind: 'business', email: 'shop@example.com' });
    const { body: created } = await sandbox.createPayment();
    for (const accountId of [shop.id, 'NOBODY', 'LIVEPAYER1']) {
      const { status, body } = await approveFrom(sandbox, created.id, accountId);
      expect(status).toBe(400);
      expect(body.details[0].field).toBe('accountId');
    }
    expect((await payment(sandbox, created.id)).payer).toEqual({ payment_method: 'wallet' });
  });
});
