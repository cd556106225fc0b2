import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderApplication } from '#configuration';
import { ApiFixture, authorizedState, configuration } from './api-fixture.js';

const started: ApiFixture[] = [];
afterAll(async () => {
  for (const api of started) await api.close();
});

/** An API whose application "shop" is configured so. */
async function apiWith(policies: ProviderApplication['policies'], databaseUrl?: string): Promise<ApiFixture> {
  const [shop, ...others] = configuration('').applications;
  const applications = [{ ...shop, policies } as ProviderApplication, ...others];
  const api = await ApiFixture.start({ applications, ...(databaseUrl !== undefined && { databaseUrl }) });
  started.push(api);
  return api;
}

const capturing = {
  capture: 'automatic',
  honour: { action: 'capture', reauthorize: 'as_allowed' },
  expiry: 'expire',
} as const;

describe('an application’s policies', () => {
  let api: ApiFixture;
  beforeAll(async () => {
    api = await apiWith(capturing);
  });

  it('apply to a payment that asks for none', async () => {
    expect((await api.order()).body).toMatchObject({
      capturePolicy: { mode: 'automatic' },
      honourPolicy: { action: 'capture', reauthorize: 'as_allowed' },
      expiryPolicy: { action: 'expire' },
    });
  });

  it('give way to what a payment asks for, each half of the honour policy separately', async () => {
    const asked = {
      capturePolicy: { mode: 'manual' },
      honourPolicy: { action: 'none' },
      expiryPolicy: { action: 'void' },
    };
    expect((await api.order(asked)).body).toMatchObject({
      ...asked,
      honourPolicy: { action: 'none', reauthorize: 'as_allowed' },
    });
  });

  it('stay with a payment when the configuration changes, and the same order stays the same', async () => {
    const key = randomUUID();
    const { body } = await api.order({}, key);
    const reconfigured = await apiWith({ capture: 'manual', expiry: 'void' }, api.databaseUrl);
    const kept = { capturePolicy: { mode: 'automatic' }, expiryPolicy: { action: 'expire' } };
    expect((await reconfigured.order({}, key)).body).toMatchObject({ id: body['id'], ...kept });
    expect((await reconfigured.call('GET', `/v1/payments/${String(body['id'])}`)).body).toMatchObject(kept);
    expect((await reconfigured.order()).body).toMatchObject({
      capturePolicy: { mode: 'manual' },
      honourPolicy: { action: 'warn', reauthorize: 'none' },
      expiryPolicy: { action: 'void' },
    });
  });
});

describe('a hold', () => {
  it('cannot be reauthorized in another currency, and its run gets no signal', async () => {
    const api = await apiWith(undefined);
    const id = await api.paymentWith(authorizedState());
    const answer = await api.call('POST', `/v1/payments/${id}/reauthorize`, {
      body: { amount: { value: '100.00', currency: 'EUR' } },
      idempotencyKey: randomUUID(),
    });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/amount/currency' }] } });
    const commands = await api.db
      .selectFrom('commands')
      .select('kind')
      .where('subject_id', '=', id)
      .execute();
    expect(commands).toEqual([{ kind: 'create' }]);
  });
});
