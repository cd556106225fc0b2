import type { Answer, SandboxFixture } from '../sandbox-fixture.js';

export interface SandboxAccount {
  id: string;
  email: string;
}

/** A second caller of the same service. */
export interface Caller {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export async function newApplication(
  sandbox: SandboxFixture,
  clientId: string,
  settings: object = {},
): Promise<Caller> {
  const clientSecret = `${clientId}-secret`;
  await sandbox.request('PUT', `/admin/applications/${clientId}`, { clientSecret, ...settings });
  const authorization = `Bearer ${await sandbox.newToken(clientId, clientSecret)}`;
  return {
    call: (method, path, body, headers = {}) =>
      sandbox.request(method, path, body, { authorization, ...headers }),
  };
}

export async function newAccount(sandbox: SandboxFixture, account: object): Promise<SandboxAccount> {
  const { status, body } = await sandbox.request('POST', '/admin/accounts', account);
  if (status !== 201) throw new Error(`Account refused: ${JSON.stringify(body)}`);
  return body;
}

export function approveFrom(sandbox: SandboxFixture, paymentId: string, accountId?: string): Promise<Answer> {
  return sandbox.request('POST', `/admin/payments/${paymentId}/approve`, { accountId });
}

export function execute(sandbox: SandboxFixture, paymentId: string, payerId: string): Promise<Answer> {
  return sandbox.call('POST', `/v1/payments/payment/${paymentId}/execute`, { payer_id: payerId });
}

/** What every account of the books has, by its name; those with nothing are left out. */
export async function balances(sandbox: SandboxFixture, paymentId: string): Promise<Record<string, number>> {
  const rows = await sandbox.sql(
    `SELECT account, sum(book_postings.amount_minor) AS balance FROM book_postings
     JOIN book_entries ON book_entries.id = entry_id WHERE payment_id = '${paymentId}'
     GROUP BY account HAVING sum(book_postings.amount_minor) <> 0`,
  );
  return Object.fromEntries(rows.map(({ account, balance }) => [account as string, Number(balance)]));
}

export async function payment(sandbox: SandboxFixture, paymentId: string): Promise<Answer['body']> {
  return (await sandbox.call('GET', `/v1/payments/payment/${paymentId}`)).body;
}

export const VISA = {
  type: 'visa',
  number: '4417119669820331',
  expire_month: '11',
  expire_year: '2040',
  cvv2: '874',
  first_name: 'Betsy',
  last_name: 'Buyer',
};

/** A payment request by card; `card` changes the card. */
export function cardPayment(card: object = {}, changes: object = {}, transaction: object = {}): object {
  return {
    intent: 'authorize',
    payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card: { ...VISA, ...card } }] },
    transactions: [{ amount: { total: '7.00', currency: 'USD' }, ...transaction }],
    ...changes,
  };
}
