import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('the books', () => {
  const sandbox = forEachTest(() => SandboxFixture.start());

  const read = async (after: number) =>
    (await sandbox.request('GET', `/admin/books/movements?clientId=shop&limit=2&after=${after}`)).body
      .movements;

  it('balance over many concurrent payments', async () => {
    const payments = await Promise.all(Array.from({ length: 10 }, () => sandbox.authorized()));
    await Promise.all(
      payments.flatMap(({ authorizationId }, index) => [
        sandbox.capture(authorizationId, '30.00'),
        sandbox.capture(authorizationId, '80.00', { is_final_capture: index % 2 === 0 }),
        sandbox.void(authorizationId),
      ]),
    );
    expect(await sandbox.violations()).toEqual([]);
    expect(await sandbox.sql('SELECT sum(amount_minor) AS sum FROM book_postings')).toEqual([{ sum: '0' }]);
    const holds = await sandbox.sql(
      "SELECT sum(amount_minor) AS held FROM book_postings WHERE account LIKE 'hold:%' GROUP BY account",
    );
    expect(holds.every(({ held }) => Number(held) >= 0)).toBe(true);
  });

  it.each([
    [
      'an entry that was changed',
      'UPDATE book_postings SET amount_minor = amount_minor + 1 WHERE amount_minor > 0',
    ],
    ['an entry without postings', 'DELETE FROM book_postings'],
    [
      'a capture that was not booked',
      "DELETE FROM book_postings; DELETE FROM book_entries WHERE kind = 'capture'",
    ],
    [
      'a capture that was booked twice',
      `INSERT INTO book_entries (kind, client_id, payment_id, authorization_id, capture_id, amount_minor, currency, created_at)
       SELECT kind, client_id, payment_id, authorization_id, capture_id, amount_minor, currency, created_at
       FROM book_entries WHERE kind = 'capture'`,
    ],
    ['a state without its money', "UPDATE authorizations SET state = 'voided'"],
  ])('show %s', async (_, statement) => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.capture(authorizationId, '10.00');
    expect(await sandbox.violations()).toEqual([]);
    await sandbox.sql(statement);
    expect(await sandbox.violations()).not.toEqual([]);
  });

  it('cannot hold more captured than was authorized, whatever the code does', async () => {
    await sandbox.authorized();
    await expect(sandbox.sql('UPDATE authorizations SET captured_minor = amount_minor + 1')).rejects.toThrow(
      'check',
    );
  });

  it('are read page by page', async () => {
    for (let count = 0; count < 3; count += 1) await sandbox.authorized();
    const first = await read(0);
    const second = await read(first.at(-1).id);
    expect([...first, ...second].map(({ kind }) => kind)).toEqual(['hold', 'hold', 'hold']);
    expect(second).toHaveLength(1);
  });
});
