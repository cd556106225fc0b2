import { beforeAll, describe, expect, it } from 'vitest';
import { forgetOldCalls } from '#sandbox/calls/forget-old-calls.js';
import { openDatabase } from '#sandbox/database/connect.js';
import { pino } from 'pino';
import { forAllTests } from '../../helpers/shared.js';
import { CLIENT_SECRET, eventually, SandboxFixture } from '../sandbox-fixture.js';

describe('the history of calls', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    await sandbox.request('PUT', '/admin/applications/other', {
      clientSecret: 'other-secret',
      environment: 'live',
      accountId: 'ACCOUNT-2',
    });
  });

  const list = async (query: string) => (await sandbox.request('GET', `/admin/calls?${query}`)).body.calls;
  const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);
  const detail = async (id: string) => (await sandbox.request('GET', `/admin/calls/${id}`)).body;

  it('keeps request, answer and headers of a call, and its application', async () => {
    const created = await sandbox.createPayment({ transaction: { description: 'Tea', custom: 'order 7' } });
    const call = await detail(created.headers.get('paypal-debug-id')!);
    expect(call).toMatchObject({
      operation: 'payment.create',
      method: 'POST',
      path: '/v1/payments/payment',
      query: '',
      clientId: 'shop',
      environment: 'sandbox',
      transactionId: created.body.id,
      status: 201,
      fault: null,
      request: {
        note: null,
        headers: { authorization: 'Bearer [redacted]', 'content-type': 'application/json' },
      },
      response: { note: null, headers: { 'paypal-debug-id': call.id } },
    });
    expect(call.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.parse(call.request.body).transactions[0]).toMatchObject({
      description: 'Tea',
      custom: 'order 7',
    });
    expect(JSON.parse(call.response.body)).toMatchObject({ id: created.body.id, state: 'created' });
  });

  it('names the transaction from the answer, else from the path', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const captured = await sandbox.capture(authorizationId, '10.00');
    await sandbox.capture(authorizationId, '1000.00');
    const [refused, done] = await list(`text=${authorizationId}&limit=2`);
    expect(refused).toMatchObject({ status: 400, transactionId: authorizationId });
    expect(done).toMatchObject({ operation: 'authorization.capture', transactionId: captured.body.id });
    const ofPayment = await list(`text=${paymentId}`);
    expect(ofPayment.map(({ operation }: { operation: string }) => operation)).toContain('payment.create');
  });

  it('stores no secret and no personal data, wherever a caller puts them', async () => {
    const token = await sandbox.newToken();
    const basic = Buffer.from(`shop:${CLIENT_SECRET}`).toString('base64');
    const planted = {
      intent: 'authorize',
      payer: {
        payment_method: 'credit_card',
        payer_info: { first_name: 'Plantedname', email: 'planted@person.example' },
        funding_instruments: [
          { credit_card: { number: '4111111111111111', type: 'visa', cvv2: '987654', expire_month: 1 } },
        ],
      },
      transactions: [
        {
          amount: { total: '1.00', currency: 'USD' },
          description: `${token} ${CLIENT_SECRET} 4111 1111 1111 1111 planted@person.example`,
          password: 'planted-password',
          [token]: { deep: [{ client_secret: 'planted-secret' }] },
        },
      ],
    };
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: 'session=planted-cookie',
      'x-api-key': 'planted-key',
      'x-note': `mail planted@person.example, ${token}`,
      'paypal-transmission-sig': 'planted-signature',
    };
    await sandbox.request(
      'POST',
      `/v1/payments/payment?access_token=${token}&who=planted%40person.example`,
      planted,
      headers,
    );
    await sandbox.request('GET', `/v1/payments/payment/${token}`, undefined, headers);
    await sandbox.request(
      'POST',
      '/v1/oauth2/token',
      `grant_type=client_credentials&client_secret=${CLIENT_SECRET}&email=planted%40person.example`,
      {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    await sandbox.request(
      'POST',
      '/v1/payments/payment',
      `{"client_secret": "${CLIENT_SECRET}", planted`,
      headers,
    );
    await list('limit=1');
    const rows = await sandbox.sql('SELECT calls::text AS text FROM calls');
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [token, basic, CLIENT_SECRET, '4111', '987654', 'planted'])
      expect(stored).not.toContain(secret);
    expect(stored).not.toContain('Plantedname');
  });

  it('keeps nothing of a body that it cannot read, and a part of a long one', async () => {
    const broken = await sandbox.call('POST', '/v1/payments/payment', '{"intent": "sa', {
      'content-type': 'application/json',
    });
    expect((await detail(broken.headers.get('paypal-debug-id')!)).request).toMatchObject({
      body: null,
      note: 'not kept: it is not readable as JSON or as a form',
    });
    const long = await sandbox.call('POST', '/v1/payments/payment', { note: 'é😀'.repeat(20_000) });
    const { request } = await detail(long.headers.get('paypal-debug-id')!);
    expect(request.body.length).toBeLessThanOrEqual(16_384);
    expect(request.note).toBe(`cut: only the first ${request.body.length} characters are kept`);
    expect(request.body.length).toBeGreaterThan(16_000);
  });

  it('keeps the answer as a fault changed it, and the fault’s name', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ operation: 'authorization.get', kind: 'status', status: 503 });
    const refused = await sandbox.call('GET', `/v1/payments/authorization/${authorizationId}`);
    expect(await detail(refused.headers.get('paypal-debug-id')!)).toMatchObject({
      status: 503,
      fault: 'status',
    });
  });

  it('filters by application, environment, account, status, time and text', async () => {
    const token = await sandbox.newToken('other', 'other-secret');
    const own = { authorization: `Bearer ${token}` };
    await sandbox.request('GET', '/v1/payments/payment/PAY-100%25_NONE?count=1', undefined, own);
    const created = await sandbox.request('GET', '/v1/payments/payment?count=1', undefined, own);
    const { startedAt } = await detail(created.headers.get('paypal-debug-id')!);
    expect(await ids('clientId=other')).toHaveLength(3);
    expect(await ids('environment=live')).toEqual(await ids('clientId=other'));
    expect(await ids('accountId=ACCOUNT-2')).toEqual(await ids('clientId=other'));
    expect(await ids('clientId=other&status=4xx')).toHaveLength(1);
    expect(await ids('clientId=other&status=404')).toHaveLength(1);
    expect(await ids('clientId=other&status=2xx')).toHaveLength(2);
    expect(await ids('clientId=other&status=500')).toEqual([]);
    expect(await ids('clientId=other&text=COUNT=1')).toHaveLength(2);
    expect(await ids('clientId=other&text=payment/PAY-100')).toHaveLength(1);
    expect(await ids(`clientId=other&from=${startedAt}`)).toContain(created.headers.get('paypal-debug-id'));
    expect(await ids('clientId=other&from=2999-01-01T00:00')).toEqual([]);
    expect(await ids(`clientId=other&to=${startedAt}`)).toHaveLength(3);
    expect(await ids('clientId=other&to=2020-01-01T00:00')).toEqual([]);
    // Signs that a pattern would take for "anything" mean themselves.
    expect(await ids('clientId=other&text=%25_')).toEqual([]);
    expect(await ids('clientId=other&text=25_N')).toHaveLength(1);
    expect(await ids('clientId=other&text=_')).toHaveLength(1);
  });

  it.each([
    'status=abc',
    'from=yesterday',
    'from=2026-02-31T99:00',
    'environment=mars',
    'before=x',
    'text=%00',
  ])('refuses %s and says why', async (query) => {
    const answer = await sandbox.request('GET', `/admin/calls?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.details).toHaveLength(1);
  });

  it('shows 1,000 calls page by page without gaps or repeats while more arrive', async () => {
    await sandbox.request('PUT', '/admin/applications/many', { clientSecret: 'many-secret' });
    // As many as share an instant: the id alone tells them apart then.
    await sandbox.sql(`
      INSERT INTO calls (id, client_id, operation, method, path, status, started_at, finished_at)
      SELECT 'many' || n, 'many', 'payment.get', 'GET', '/v1/payments/payment/P' || n, 200,
        timestamptz '2026-01-01' + (n / 7) * interval '1 second', timestamptz '2026-01-02'
      FROM generate_series(1, 1000) AS n`);
    const seen: string[] = [];
    let page = (await sandbox.request('GET', '/admin/calls?clientId=many&limit=37')).body;
    for (;;) {
      seen.push(...page.calls.map(({ id }: { id: string }) => id));
      await sandbox.exchange('many', 'many-secret');
      if (page.older === null) break;
      page = (await sandbox.request('GET', `/admin/calls?clientId=many&limit=37&before=${page.older}`)).body;
    }
    expect(seen).toHaveLength(1000);
    expect(new Set(seen).size).toBe(1000);
    const back: string[] = [];
    for (;;) {
      back.unshift(
        ...page.calls.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith('many')),
      );
      if (page.newer === null) break;
      page = (await sandbox.request('GET', `/admin/calls?clientId=many&limit=37&after=${page.newer}`)).body;
    }
    expect(back).toEqual(seen);
  });

  it('deletes what is too old or too many, but never the newest', async () => {
    const database = await openDatabase(sandbox.database.url, 1, pino({ level: 'silent' }));
    await sandbox.sql(`
      INSERT INTO calls (id, client_id, operation, method, path, status, started_at, finished_at)
      SELECT 'old' || n, 'ancient', 'payment.get', 'GET', '/', 200, timestamptz '2020-01-01', timestamptz '2020-01-01'
      FROM generate_series(1, 2500) AS n`);
    const forget = async (rows: number, days: number) => {
      let isMore = true;
      while (isMore) isMore = await forgetOldCalls(database, { rows, days }, new Date());
    };
    await forget(1_000_000, 30);
    expect(await list('clientId=ancient')).toEqual([]);
    expect((await list('limit=500')).length).toBeGreaterThan(20);
    const newest = (await list('limit=5')).map(({ id }: { id: string }) => id);
    await forget(5, 365_000);
    expect((await list('')).map(({ id }: { id: string }) => id)).toEqual(newest);
    await database.destroy();
  });

  it('shows a call under way at once, and only once when it has ended', async () => {
    await sandbox.switchOnFault({ operation: 'payment.list', kind: 'delay', delayMs: 2_000 });
    const call = sandbox.call('GET', '/v1/payments/payment?count=3');
    await eventually(() => list('inflight=true')).toMatchObject([
      { operation: 'payment.list', status: null },
    ]);
    const id = (await call).headers.get('paypal-debug-id');
    const found = (await list('clientId=shop')).filter((one: { id: string }) => one.id === id);
    expect(found).toMatchObject([{ status: 200, query: 'count=3' }]);
  });
});
