import { afterAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { describeSection } from './describe-section.js';

const WEBHOOKS = '/v1/notifications/webhooks';
const REAL_DAY_MS = 86_400_000;
const SHORT_DAY_MS = 50;

const sandbox = forAllTests(() => SandboxFixture.start());
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const reauthorize = (id: string) =>
  sandbox.call('POST', `/v1/payments/authorization/${id}/reauthorize`, {
    amount: { total: '100.00', currency: 'USD' },
  });

/** An authorization of an application whose days have this length. */
async function heldWithDaysOf(dayLengthMs: number): Promise<string> {
  await sandbox.configure({ dayLengthMs });
  return (await sandbox.authorized()).authorizationId;
}

describeSection('8', {
  'webhooks per account': async () => {
    const create = (n: number) =>
      sandbox.call('POST', WEBHOOKS, {
        url: `http://127.0.0.1:9/hook/${n}`,
        event_types: [{ name: 'PAYMENT.SALE.REFUNDED' }],
      });
    for (let n = 1; n <= 10; n++) expect((await create(n)).status).toBe(201);
    expect((await create(11)).body.name).toBe('WEBHOOK_NUMBER_LIMIT_EXCEEDED');
    const { id } = (await sandbox.call('GET', WEBHOOKS)).body.webhooks[0];
    expect((await sandbox.call('DELETE', `${WEBHOOKS}/${id}`)).status).toBe(204);
    expect((await create(12)).status).toBe(201);
  },
  'access token lifetime': async () => {
    const clientSecret = 'aging-secret';
    await sandbox.request('PUT', '/admin/applications/aging', { clientSecret });
    const { body } = await sandbox.exchange('aging', clientSecret);
    expect(body.expires_in).toBe(28_800);
    const look = () =>
      sandbox.request('GET', '/v1/payments/payment', undefined, {
        authorization: `Bearer ${body.access_token}`,
      });
    expect((await look()).status).toBe(200);
    const age = (seconds: number) =>
      sandbox.sql(
        `UPDATE access_tokens SET expires_at = expires_at - interval '${seconds} seconds'
          WHERE client_id = 'aging'`,
      );
    await age(28_000);
    await sandbox.restart();
    expect((await look()).status).toBe(200);
    await age(800);
    await sandbox.restart();
    expect((await look()).status).toBe(401);
  },
  'authorization funds guaranteed available': async () => {
    const guaranteed = await heldWithDaysOf(REAL_DAY_MS);
    expect((await reauthorize(guaranteed)).body.name).toBe('REAUTHORIZATION_TOO_SOON');
    expect((await sandbox.capture(guaranteed, '100.00')).status).toBe(201);
    const over = await heldWithDaysOf(SHORT_DAY_MS * 10);
    await eventually(async () => (await reauthorize(over)).body.name ?? 'reauthorized').toBe('reauthorized');
  },
  'period over which capture of an authorization can be attempted': async () => {
    const lasting = await sandbox.authorization(await heldWithDaysOf(REAL_DAY_MS));
    const length = Date.parse(lasting.valid_until) - Date.parse(lasting.create_time);
    expect(Math.abs(length - 29 * REAL_DAY_MS)).toBeLessThanOrEqual(1_000);
    expect((await sandbox.capture(lasting.id, '1.00')).status).toBe(201);
    const over = await heldWithDaysOf(SHORT_DAY_MS);
    await eventually(async () => (await sandbox.authorization(over)).state).toBe('expired');
    expect((await sandbox.capture(over, '1.00')).body.name).toBe('AUTHORIZATION_EXPIRED');
  },
});
