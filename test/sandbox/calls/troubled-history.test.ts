import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { CallLog } from '#sandbox/calls/call-log.js';
import type { Call } from '#sandbox/calls/call.js';
import { openDatabase } from '#sandbox/database/connect.js';
import { forAllTests } from '../../helpers/shared.js';
import { CLIENT_SECRET, eventually, SandboxFixture } from '../sandbox-fixture.js';

describe('the history of calls after a failure', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const page = async (query: string) => (await sandbox.request('GET', `/admin/calls?${query}`)).body;
  const pathsInFlight = async () =>
    (await page('inflight=true')).calls.map(({ path }: { path: string }) => path);
  const detail = async (id: string | null) => (await sandbox.request('GET', `/admin/calls/${id}`)).body;

  it.each([
    ['digits', '1'.repeat(6 * 1024 * 1024)],
    ['digits in groups', '1 '.repeat(7.9 * 1024 * 1024)],
    ['a bearer token', `bearer ${'a'.repeat(15.9 * 1024 * 1024)}`],
    ['an access token', `A21AA${'a'.repeat(15.9 * 1024 * 1024)}`],
  ])('has a refused body of %s without end, and every later call', async (_what, note) => {
    const refused = await sandbox.call('POST', '/v1/payments/payouts', { note });
    const next = await sandbox.call('GET', '/v1/payments/payment');
    expect(refused.status).toBe(400);
    expect((await detail(refused.headers.get('paypal-debug-id'))).request.note).toMatch(
      /^cut: only the first/,
    );
    expect(await detail(next.headers.get('paypal-debug-id'))).toMatchObject({ status: 200 });
    expect((await sandbox.request('GET', '/dashboard/calls')).status).toBe(200);
  });

  it('has an answer whose token a fault replaced', async () => {
    await sandbox.switchOnFault({
      kind: 'reshape',
      operation: 'payment.list',
      add: { access_token: { toString: 1, valueOf: 1 } },
    });
    const reshaped = await sandbox.call('GET', '/v1/payments/payment');
    expect(await detail(reshaped.headers.get('paypal-debug-id'))).toMatchObject({ fault: 'reshape' });
  });

  it('shows every ended call once, page by page, while others are under way', async () => {
    for (let call = 0; call < 12; call += 1) await sandbox.call('GET', `/v1/payments/payment/PAY-N${call}`);
    await sandbox.switchOnFault({ operation: 'plan.list', kind: 'delay', delayMs: 60_000, times: null });
    const leaving = new AbortController();
    const authorization = `Bearer ${await sandbox.newToken()}`;
    const held = [1, 2, 3].map(() =>
      fetch(`${sandbox.url}/v1/payments/billing-plans`, {
        headers: { authorization },
        signal: leaving.signal,
      }).catch(() => undefined),
    );
    await eventually(async () => (await page('inflight=true')).calls.length).toBe(3);
    const seen: string[] = [];
    let [place, running]: [string | null, number] = ['', 0];
    while (place !== null) {
      const { calls, older } = await page(`clientId=shop&limit=2${place && `&before=${place}`}`);
      seen.push(...calls.map(({ path }: { path: string }) => path));
      running += calls.filter(({ status }: { status: number | null }) => status === null).length;
      place = older;
    }
    // In no order: two of them may have begun in the same millisecond.
    const expected = Array.from({ length: 12 }, (_, call) => `/v1/payments/payment/PAY-N${call}`);
    expect(seen.filter((path) => path.includes('PAY-N')).toSorted()).toEqual(expected.toSorted());
    expect(running).toBe(3);
    leaving.abort();
    await Promise.all(held);
  });

  it('shows no secret that the caller put in the place of an id, under way or ended', async () => {
    await sandbox.newToken();
    await sandbox.switchOnFault({ operation: 'payment.get', kind: 'delay', delayMs: 2_000 });
    const call = sandbox.call('GET', `/v1/payments/payment/${CLIENT_SECRET}`);
    await eventually(pathsInFlight).toContain('/v1/payments/payment/[redacted]');
    expect(await detail((await call).headers.get('paypal-debug-id'))).toMatchObject({
      path: '/v1/payments/payment/[redacted]',
      transactionId: null,
    });
  });

  it('drops a call that the database refuses, and keeps the others', async () => {
    const database = await openDatabase(sandbox.database.url, 1, pino({ level: 'silent' }));
    const lines: string[] = [];
    const log = new CallLog(database, pino({}, { write: (line: string) => lines.push(line) }));
    const exchange = {
      url: '/',
      requestHeaders: {},
      requestBody: undefined,
      responseHeaders: {},
      responseBody: null,
    };
    for (const [id, status] of [
      ['fine-1', 200],
      ['refused', 1e12],
      ['fine-2', 200],
    ] as const) {
      const call: Call = {
        id,
        operation: 'payment.get',
        method: 'GET',
        path: '/',
        requestId: null,
        startedAt: new Date(),
        clientId: null,
        fault: null,
      };
      log.begin(call);
      log.finish(call, status, new Date(), exchange);
    }
    await log.flush();
    const rows = await sandbox.sql(
      "SELECT id FROM calls WHERE id IN ('fine-1', 'refused', 'fine-2') ORDER BY id",
    );
    expect(rows.map(({ id }) => id)).toEqual(['fine-1', 'fine-2']);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ call: 'refused' }]);
    await log.close();
    await database.destroy();
  });
});
