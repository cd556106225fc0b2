import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('payments looked for', () => {
  let sandbox: SandboxFixture;
  beforeAll(async () => {
    sandbox = await SandboxFixture.start();
  });
  afterAll(() => sandbox.stop());

  it('are not found by an unknown id, nor by another application', async () => {
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

  it('are listed page by page in both directions, each once', async () => {
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

  it('are listed by time, index and payee', async () => {
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

  it.each([
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
