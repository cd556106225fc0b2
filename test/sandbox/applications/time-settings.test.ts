import { describe, expect, it } from 'vitest';
import { readConfiguration } from '#sandbox/configuration.js';
import { forAllTests } from '../../helpers/shared.js';
import { batchOf, itemFor, PATH } from '../payouts/payout-helpers.js';
import { CLIENT_SECRET, SandboxFixture } from '../sandbox-fixture.js';

const REAL_DAY_MS = 86_400_000;

const MOST: [string, number][] = [
  ['dayLengthMs', 2 * REAL_DAY_MS],
  ['approvalWindowMs', 366 * REAL_DAY_MS],
  ['authorizationSettleMs', 366 * REAL_DAY_MS],
  ['captureSettleMs', 366 * REAL_DAY_MS],
  ['saleSettleMs', 366 * REAL_DAY_MS],
  ['refundSettleMs', 366 * REAL_DAY_MS],
  ['agreementSettleMs', 366 * REAL_DAY_MS],
  ['payoutPendingMs', 366 * REAL_DAY_MS],
  ['payoutProcessingMs', 366 * REAL_DAY_MS],
  ['payoutSettleMs', 366 * REAL_DAY_MS],
];

const read = (dayLength: string) =>
  readConfiguration({ DATABASE_URL: 'postgresql:///none', SANDBOX_DAY_LENGTH_MS: dayLength });

describe('settings that are times', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const put = (settings: object) =>
    sandbox.request('PUT', '/admin/applications/shop', { clientSecret: CLIENT_SECRET, ...settings });

  const pay = async () => {
    const payment = await sandbox.createPayment();
    const payout = await sandbox.call('POST', PATH, batchOf([itemFor('a@example.com')]));
    return [payment.status, payout.status];
  };

  it.each(MOST)('are refused by name when they are longer than any calendar: %s', async (name, most) => {
    for (const value of [9e15, most + 1]) {
      const { status, body } = await put({ [name]: value });
      expect([status, body.name]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.details).toEqual([{ field: name, issue: expect.any(String) }]);
    }
    expect((await put({ [name]: most })).status).toBe(200);
    expect(await pay()).toEqual([201, 201]);
  });

  it('are covered completely', async () => {
    await put({});
    const [row] = await sandbox.sql(`SELECT settings FROM applications WHERE client_id = 'shop'`);
    const names = Object.keys(row?.['settings'] ?? {}).filter((name) => name.endsWith('Ms'));
    expect(names.toSorted()).toEqual(MOST.map(([name]) => name).toSorted());
  });

  it('are reduced to the bound when they were stored before there was one, and the service starts', async () => {
    await sandbox.sql(
      `UPDATE applications SET settings = (settings::jsonb || '{"dayLengthMs":9000000000000000,
        "approvalWindowMs":9000000000000000,"payoutPendingMs":9000000000000000,"approval":"immediate"}')::json`,
    );
    await sandbox.restart();
    expect(await pay()).toEqual([201, 201]);
    const [authorization] = await sandbox.sql(
      `SELECT extract(epoch FROM valid_until - created_at)::integer AS seconds FROM authorizations
       ORDER BY created_at DESC LIMIT 1`,
    );
    expect(authorization).toEqual({ seconds: (29 * 2 * REAL_DAY_MS) / 1000 });
  });

  it('of the whole service are refused by the name of their variable', () => {
    expect(() => read('9000000000000000')).toThrow('SANDBOX_DAY_LENGTH_MS');
    expect(() => read('0')).toThrow('SANDBOX_DAY_LENGTH_MS');
    expect(read('172800000').dayLengthMs).toBe(2 * REAL_DAY_MS);
  });
});
