import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { newAccount, newApplication, type Caller } from '../payments/payment-service.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { batchOf, FAST, itemFor, PATH } from './payout-helpers.js';

const payeeOf = async (caller: Caller, email: string): Promise<string> => {
  const { body } = await caller.call('POST', '/v1/payments/payment', {
    intent: 'sale',
    payer: { payment_method: 'wallet' },
    redirect_urls: { return_url: 'http://127.0.0.1:9/r', cancel_url: 'http://127.0.0.1:9/c' },
    transactions: [{ amount: { total: '1.00', currency: 'USD' }, payee: { email } }],
  });
  return body.transactions[0].payee.merchant_id;
};

describe('the receivers of a payout', () => {
  let ours: Caller;
  let live: Caller;
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    ours = await newApplication(sandbox, 'ours', FAST);
    live = await newApplication(sandbox, 'live-payer', { environment: 'live', ...FAST });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  /** The account that one item, paid to its end, has credited; null when its money stayed. */
  const creditedBy = async (caller: Caller, receiver: string, more: object = {}): Promise<string | null> => {
    const { body } = await caller.call('POST', PATH, batchOf([itemFor(receiver, more)]));
    const batch = async () => (await caller.call('GET', `${PATH}/${body.batch_header.payout_batch_id}`)).body;
    await eventually(async () => (await batch()).batch_header.batch_status).toBe('SUCCESS');
    const itemId = (await batch()).items[0].payout_item_id;
    const [posting] = await sandbox.sql(
      `SELECT account FROM book_postings JOIN book_entries ON book_entries.id = entry_id
       WHERE payout_item_id = '${itemId}' AND book_postings.amount_minor > 0`,
    );
    return posting === undefined ? null : String(posting['account']).replace('payee:', '');
  };

  it('are the accounts that have the address, as for payees, each in its environment', async () => {
    const email = 'carl@example.com';
    const account = { id: 'CARL', kind: 'business', email };
    const known = await newAccount(sandbox, account);
    const twin = await newAccount(sandbox, { ...account, id: 'CARLLIVE', environment: 'live' });
    expect(await creditedBy(ours, 'Carl@example.com')).toBe(known.id);
    expect(await creditedBy(live, email)).toBe(twin.id);
  });

  it('are the same account as the payee of an address that nobody has yet, and as its later account', async () => {
    const email = 'unheard@example.com';
    const before = await creditedBy(live, email);
    expect(await payeeOf(live, email)).toBe(before);
    expect(await creditedBy(ours, email)).not.toBe(before);
    const made = await newAccount(sandbox, { environment: 'live', email });
    expect([made.id, await creditedBy(live, email)]).toEqual([before, before]);
  });

  it('are found by id in the sender’s environment only; elsewhere the id belongs to no account', async () => {
    const byId = { recipient_type: 'PAYPAL_ID' };
    const { id } = await newAccount(sandbox, { kind: 'business', email: 'only-sandbox@example.com' });
    expect(await creditedBy(ours, id, byId)).toBe(id);
    const other = await creditedBy(live, id, byId);
    expect(other).not.toBe(id);
    expect(await creditedBy(live, id, byId)).toBe(other);
  });

  it('by an unused id are no account of either environment', async () => {
    const byId = { recipient_type: 'PAYPAL_ID' };
    const early = [await creditedBy(ours, 'LATECOMER', byId), await creditedBy(live, 'LATECOMER', byId)];
    const made = await newAccount(sandbox, { id: 'LATECOMER', email: 'latecomer@example.com' });
    expect(new Set([...early, made.id]).size).toBe(3);
    expect(await creditedBy(ours, 'LATECOMER', byId)).toBe(made.id);
  });

  it('by id may be the account of an application, even a new one or one from before a restart', async () => {
    const byId = { recipient_type: 'PAYPAL_ID' };
    await newApplication(sandbox, 'receiving', { accountId: 'RECEIVING', ...FAST });
    expect(await creditedBy(ours, 'RECEIVING', byId)).toBe('RECEIVING');
    await sandbox.restart();
    expect(await creditedBy(ours, 'RECEIVING', byId)).toBe('RECEIVING');
  });

  it('by telephone differ in each environment, and differ from an equal e-mail or handle', async () => {
    const named = [
      await creditedBy(ours, '+4915100', { recipient_type: 'PHONE' }),
      await creditedBy(live, '+4915100', { recipient_type: 'PHONE' }),
      await creditedBy(ours, '+4915100', { recipient_type: 'USER_HANDLE' }),
    ];
    expect(new Set(named).size).toBe(3);
    expect(await creditedBy(ours, '+4915100', { recipient_type: 'PHONE' })).toBe(named[0]);
  });

  it('are refused when the address is the sender’s own', async () => {
    await newAccount(sandbox, { id: 'SELFPAYER', kind: 'business', email: 'self@example.com' });
    const self = await newApplication(sandbox, 'self', { accountId: 'SELFPAYER', ...FAST });
    expect(await creditedBy(self, 'self@example.com')).toBeNull();
  });
});
