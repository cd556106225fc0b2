import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { collect, dollars, refund } from './collected-money.js';

describe.each(['capture', 'sale'] as const)('the books of a refunded %s', (kind) => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const table = `${kind}s`;
  const rebook = `INSERT INTO book_entries
    (kind, client_id, payment_id, sale_id, capture_id, refund_id, amount_minor, currency, created_at)
    SELECT kind, client_id, payment_id, sale_id, capture_id, refund_id, amount_minor, currency, created_at
    FROM book_entries WHERE kind = 'refund' AND payment_id = '$payment'`;

  it('balance, and payer and payee are left with what was not refunded', async () => {
    const money = await collect(sandbox, kind);
    await refund(sandbox, money, dollars('10.00'));
    await sandbox.request('POST', `/admin/${table}/${money.id}/reverse`, dollars('5.00'));
    const balances = await sandbox.sql(
      `SELECT split_part(account, ':', 1) AS side, sum(amount_minor)::integer AS minor FROM book_postings
       GROUP BY 1 HAVING sum(amount_minor) <> 0 ORDER BY 1`,
    );
    expect(balances).toEqual([
      { side: 'payee', minor: 8500 },
      { side: 'payer', minor: -8500 },
    ]);
    expect(await sandbox.violations()).toEqual([]);
  });

  it('cannot hold more refunds than was collected, or a refund twice, whatever the code does', async () => {
    const money = await collect(sandbox, kind);
    await refund(sandbox, money, dollars('10.00'));
    for (const column of ['refunded_minor', 'refund_pending_minor', 'reversed_minor']) {
      await expect(sandbox.sql(`UPDATE ${table} SET ${column} = amount_minor + 1`)).rejects.toThrow('check');
    }
    await expect(sandbox.sql(`UPDATE ${table} SET state = 'denied'`)).rejects.toThrow('check');
    await expect(sandbox.sql(rebook.replace('$payment', money.paymentId))).rejects.toThrow('unique');
  });

  // Each on money of its own; what an earlier case has damaged stays damaged and is looked past.
  it.each([
    ['a refund that was not booked', 'UPDATE book_entries SET refund_id = NULL'],
    ['a movement without its refund', 'UPDATE book_entries SET refund_id = id::text'],
    ['a refund whose movement is of another amount', 'UPDATE refunds SET amount_minor = amount_minor - 1'],
    ['a refund that is pending though its money has gone', "UPDATE refunds SET state = 'pending'"],
    ['money that has gone back unseen', `UPDATE ${table} SET refunded_minor = 0`],
    ['a chargeback that was not booked', `UPDATE ${table} SET reversed_minor = 1`],
    ['an amount that is reserved for nothing', `UPDATE ${table} SET refund_pending_minor = 1`],
    ['a state that does not say what has gone back', `UPDATE ${table} SET state = 'completed'`],
  ])('show %s', async (_, statement) => {
    const money = await collect(sandbox, kind);
    await refund(sandbox, money, dollars('10.00'));
    const before = await sandbox.violations();
    await sandbox.sql(`${statement} WHERE payment_id = '${money.paymentId}'`);
    expect((await sandbox.violations()).length).toBeGreaterThan(before.length);
  });
});
