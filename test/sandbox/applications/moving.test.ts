import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { newAccount, newApplication, type Caller } from '../payments/payment-service.js';
import { paymentBody, SandboxFixture, type Answer } from '../sandbox-fixture.js';

const WEBHOOKS = '/v1/notifications/webhooks';

const addWebhooks = async (caller: Caller, count: number): Promise<void> => {
  for (let n = 1; n <= count; n += 1) {
    const body = { url: `https://example.com/${n}`, event_types: [{ name: '*' }] };
    expect((await caller.call('POST', WEBHOOKS, body)).status).toBe(201);
  }
};

describe('an application that is moved to another account', () => {
  let liveAccount: string;
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    const account = { kind: 'business', email: 'l@example.com', environment: 'live' };
    liveAccount = (await newAccount(sandbox, account)).id;
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const move = (clientId: string, change: object): Promise<Answer> =>
    sandbox.request('PUT', `/admin/applications/${clientId}`, {
      clientSecret: `${clientId}-secret`,
      ...change,
    });

  const webhooksOf = async (accountId: string): Promise<number> =>
    (await sandbox.sql(`SELECT id FROM webhooks WHERE account_id = '${accountId}'`)).length;

  it('never changes its environment, whatever the request leaves out', async () => {
    const mover = await newApplication(sandbox, 'mover', {});
    const created = await mover.call('POST', '/v1/payments/payment', paymentBody());
    for (const change of [
      { accountId: liveAccount },
      { accountId: liveAccount, environment: 'live' },
      { accountId: 'NEWANDLIVE', environment: 'live' },
    ]) {
      const refused = await move('mover', change);
      expect(refused).toMatchObject({
        status: 400,
        body: { name: 'VALIDATION_ERROR', details: [{ field: 'accountId' }] },
      });
    }
    expect((await move('mover', { environment: 'live' })).body.details[0].field).toBe('environment');
    const rows = await sandbox.sql(
      `SELECT environment FROM applications JOIN accounts ON accounts.id = account_id WHERE client_id = 'mover'`,
    );
    expect(rows).toEqual([{ environment: 'sandbox' }]);
    expect(await sandbox.sql(`SELECT id FROM accounts WHERE id = 'NEWANDLIVE'`)).toEqual([]);
    const { id } = created.body;
    const approval = await sandbox.request('POST', `/admin/payments/${id}/approve`, {
      accountId: 'LIVEPAYER1',
    });
    expect(approval.status).toBe(400);
  });

  it('stays in the live environment with a new account of its own there', async () => {
    await newApplication(sandbox, 'stayer', { environment: 'live' });
    expect((await move('stayer', { accountId: 'STAYSLIVE' })).status).toBe(200);
    expect(await sandbox.sql(`SELECT environment FROM accounts WHERE id = 'STAYSLIVE'`)).toEqual([
      { environment: 'live' },
    ]);
  });

  it('keeps its webhooks, and they count there', async () => {
    const caller = await newApplication(sandbox, 'carrier', { accountId: 'LEFT' });
    await addWebhooks(caller, 4);
    const neighbour = await newApplication(sandbox, 'neighbour', { accountId: 'JOINED' });
    await addWebhooks(neighbour, 6);
    expect((await move('carrier', { accountId: 'JOINED' })).status).toBe(200);
    expect([await webhooksOf('LEFT'), await webhooksOf('JOINED')]).toEqual([0, 10]);
    const eleventh = { url: 'https://example.com/eleventh', event_types: [{ name: '*' }] };
    expect((await caller.call('POST', WEBHOOKS, eleventh)).body.name).toBe('WEBHOOK_NUMBER_LIMIT_EXCEEDED');
    const listed = await caller.call('GET', `${WEBHOOKS}?anchor_type=ACCOUNT`);
    expect(listed.body.webhooks).toHaveLength(10);
  });

  it('stays where it is when the account would have more than 10 webhooks', async () => {
    const caller = await newApplication(sandbox, 'crowder', { accountId: 'ROOMY' });
    await addWebhooks(caller, 5);
    const full = await newApplication(sandbox, 'full', { accountId: 'FULL' });
    await addWebhooks(full, 6);
    const refused = await move('crowder', { accountId: 'FULL', idempotency: 'all' });
    expect(refused).toMatchObject({
      status: 400,
      body: { name: 'VALIDATION_ERROR', details: [{ field: 'accountId' }] },
    });
    expect([await webhooksOf('ROOMY'), await webhooksOf('FULL')]).toEqual([5, 6]);
    expect((await move('crowder', { accountId: 'ROOMY' })).status).toBe(200);
  });

  it('never exceeds the account’s limit while webhooks are being created', async () => {
    const caller = await newApplication(sandbox, 'racer', { accountId: 'START' });
    const target = await newApplication(sandbox, 'target', { accountId: 'GOAL' });
    await addWebhooks(target, 3);
    const make = (n: number) =>
      caller.call('POST', WEBHOOKS, { url: `https://example.com/r${n}`, event_types: [{ name: '*' }] });
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => make(n)),
      move('racer', { accountId: 'GOAL' }),
      ...Array.from({ length: 6 }, (_, n) => make(n + 6)),
    ]);
    const strays = await sandbox.sql(
      `SELECT webhooks.id FROM webhooks JOIN applications USING (client_id)
       WHERE webhooks.account_id <> applications.account_id`,
    );
    expect(strays).toEqual([]);
    expect(await webhooksOf('GOAL')).toBeLessThanOrEqual(10);
  });
});
