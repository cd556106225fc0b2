import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('lists of payments', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  it('do not show an unknown id, or another application’s payment', async () => {
    const { body: created } = await sandbox.createPayment();
    await sandbox.request('PUT', '/admin/applications/other', {
      clientSecret: 'other-secret',
      environment: 'live',
    });
    const authorization = `Bearer ${await sandbox.newToken('other', 'other-secret')}`;
    for (const path of [`/v1/payments/payment/${created.id}`, '/v1/payments/payment/PAY-NONE']) {
      const { status, body } = await sandbox.request('GET', path, undefined, { authorization });
      expect(status).toBe(404);
      expect(body.name).toBe('INVALID_RESOURCE_ID');
    }
    const { body } = await sandbox.request('GET', '/v1/payments/payment', undefined, { authorization });
    expect(body).toEqual({ payments: [], count: 0 });
  });

  it('show each payment once, page by page in both directions', async () => {
    const own = await SandboxFixture.start();
    try {
      const created = await Promise.all(Array.from({ length: 7 }, () => own.createPayment()));
      const ids = new Set(created.map(({ body }) => body.id));
      for (const order of ['desc', 'asc']) {
        const seen = await pagesOf(own, `count=3&sort_order=${order}`);
        expect(seen.map(({ payments }) => payments.length)).toEqual([3, 3, 1]);
        const payments = seen.flatMap((page) => page.payments);
        expect(new Set(payments.map(({ id }) => id))).toEqual(ids);
        const times = payments.map(({ create_time }) => create_time);
        expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().toReversed());
      }
    } finally {
      await own.stop();
    }
  });

  it('can be filtered by time, index and payee', async () => {
    const { body: first } = await sandbox.createPayment({
      transaction: { payee: { email: 'a@example.com' } },
    });
    const { body: second } = await sandbox.createPayment();
    const list = async (query: string) =>
      (await sandbox.call('GET', `/v1/payments/payment?${query}`)).body.payments.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list(`payee_id=${first.transactions[0].payee.merchant_id}`)).toEqual([first.id]);
    expect(await list(`start_time=${second.create_time}`)).toContain(second.id);
    expect(await list(`end_time=${first.create_time}&count=1`)).toEqual([first.id]);
    expect(await list('start_index=1&count=1')).toEqual([first.id]);
  });

  it('can be filtered by two instants, both included, and repeat none over pages of one filter', async () => {
    const own = await SandboxFixture.start();
    try {
      const payee = { email: 'mine@example.com' };
      const mine: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        mine.push((await own.createPayment({ transaction: { payee } })).body.id);
        await own.createPayment();
      }
      // All at one instant: the id alone then decides the order.
      await own.sql("UPDATE payments SET created_at = '2030-01-01T00:00:00.123Z'");
      const [{ payee_id }] = (await own.sql(`SELECT payee_id FROM payments WHERE id = '${mine[0]}'`)) as [
        { payee_id: string },
      ];
      for (const order of ['asc', 'desc']) {
        const pages = await pagesOf(own, `count=2&payee_id=${payee_id}&sort_order=${order}`);
        const ids = pages.flatMap(({ payments }) => payments.map(({ id }) => id));
        expect(ids).toEqual(order === 'asc' ? mine.toSorted() : mine.toSorted().toReversed());
      }
      const between = async (start: string, end: string) =>
        (await own.call('GET', `/v1/payments/payment/?start_time=${start}&end_time=${end}&count=20`)).body
          .count;
      expect(await between('2030-01-01T00:00:00.123Z', '2030-01-01T01:00:00.123%2B01:00')).toBe(10);
      expect(await between('2030-01-01T00:00:00.124Z', '2030-01-02T00:00:00Z')).toBe(0);
      expect(await between('2029-01-01T00:00:00Z', '2030-01-01T00:00:00.122Z')).toBe(0);
    } finally {
      await own.stop();
    }
  });

  it('of one payee among very many use an index, not a scan', async () => {
    const own = await SandboxFixture.start();
    try {
      await own.createPayment({ transaction: { payee: { email: 'rare@example.com' } } });
      await own.sql(
        `INSERT INTO payments SELECT (json_populate_record(one, json_build_object(
           'id', 'PAY-' || n, 'approval_token', 'EC-' || n, 'payee_id', 'COMMON',
           'created_at', now() + n * interval '1 millisecond'))).*
         FROM payments AS one, generate_series(1, 20000) AS n`,
      );
      await own.sql('ANALYZE payments');
      const [{ payee_id }] = (await own.sql("SELECT payee_id FROM payments WHERE payee_id <> 'COMMON'")) as [
        { payee_id: string },
      ];
      for (const filter of [`payee_id = '${payee_id}'`, "created_at > '2000-01-01'"]) {
        const plan = await own.sql(
          `EXPLAIN SELECT * FROM payments WHERE client_id = 'shop' AND ${filter}
           ORDER BY created_at DESC, id DESC LIMIT 11`,
        );
        expect(JSON.stringify(plan)).toMatch(/Index Scan Backward using payments_by_(payee|time)/);
        expect(JSON.stringify(plan)).not.toMatch(/Sort|Seq Scan|Filter/);
      }
      const { body } = await own.call('GET', `/v1/payments/payment?payee_id=${payee_id}`);
      expect(body.count).toBe(1);
    } finally {
      await own.stop();
    }
  });

  it.each([
    'end_time=2020-01-01T00:00:00Z&start_time=2030-01-01T00:00:00Z',
    'start_time=2020-01-01',
    'start_index=-1',
    'payee_id=%00',
    'count=21',
    'count=0',
    'count=x',
    'start_id=PAY-NONE',
    'start_time=yesterday',
    'sort_order=up',
    'sort_by=x',
  ])('are refused with the query %s', async (query) => {
    const { status, body } = await sandbox.call('GET', `/v1/payments/payment?${query}`);
    expect(status).toBe(400);
    expect(body.details[0].field).toBe(query.split('=')[0]);
  });
});

interface Page {
  payments: { id: string; create_time: string }[];
  next_id?: string;
}

async function pagesOf(sandbox: SandboxFixture, query: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | undefined = ''; next !== undefined; next = pages.at(-1)?.next_id) {
    const start = next === '' ? '' : `&start_id=${next}`;
    pages.push((await sandbox.call('GET', `/v1/payments/payment?${query}${start}`)).body);
  }
  return pages;
}
