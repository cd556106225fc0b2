import { beforeAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { CLIENT_ID, CLIENT_SECRET, SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { describeSection } from './describe-section.js';
import { identifier, someText } from './formats.js';

let exchanged: Answer;

const sandbox = forAllTests(() => SandboxFixture.start());

beforeAll(async () => {
  exchanged = await sandbox.exchange(CLIENT_ID, CLIENT_SECRET);
});

const listWith = (authorization?: string) =>
  sandbox.request('GET', '/v1/payments/payment', undefined, authorization ? { authorization } : {});

describeSection('2.9', {
  scope: () => {
    expect(exchanged.body.scope).toEqual(someText);
    const patterns = exchanged.body.scope.split(' ').filter((scope: string) => /^https?:\/\//.test(scope));
    expect(patterns.length).toBeGreaterThan(0);
  },
  access_token: () => expect(exchanged.body.access_token).toEqual(expect.stringMatching(/^\S{20,}$/)),
  token_type: () => expect(exchanged.body.token_type).toBe('Bearer'),
  app_id: async () => {
    expect(exchanged.body.app_id).toEqual(identifier);
    expect((await sandbox.exchange(CLIENT_ID, CLIENT_SECRET)).body.app_id).toBe(exchanged.body.app_id);
  },
  expires_in: () => expect(exchanged.body.expires_in).toBe(28_800),
});

describeSection('5', {
  'rule 1': async () => {
    expect(exchanged).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    for (const [id, secret] of [
      [CLIENT_ID, 'wrong'],
      ['nobody', CLIENT_SECRET],
      ['', ''],
    ] as const) {
      const { status, body } = await sandbox.exchange(id, secret);
      expect(status).toBe(401);
      expect(body).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
      expect(body).not.toHaveProperty('access_token');
    }
    const bare = await sandbox.request('POST', '/v1/oauth2/token', 'grant_type=client_credentials', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(bare.status).toBe(401);
  },
  'rule 2': async () => {
    const { access_token } = exchanged.body;
    expect((await listWith(`Bearer ${access_token}`)).status).toBe(200);
    const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
    for (const wrong of [undefined, `Bearer ${access_token}x`, access_token, basic]) {
      expect(await listWith(wrong)).toMatchObject({ status: 401, body: { name: 'AUTHENTICATION_FAILURE' } });
    }
  },
  'rule 3': async () => {
    const [token] = await sandbox.sql(
      `SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM access_tokens`,
    );
    expect(token!['seconds']).toBeLessThanOrEqual(28_800);
    expect(token!['seconds']).toBeGreaterThan(28_800 - 600);
  },
  'rule 4': async () => {
    const live = { clientSecret: 'live-secret', environment: 'live' };
    expect((await sandbox.request('PUT', '/admin/applications/live-shop', live)).status).toBe(200);
    const { body: payment } = await sandbox.createPayment();
    const authorization = `Bearer ${await sandbox.newToken('live-shop', 'live-secret')}`;
    const look = (path: string) => sandbox.request('GET', path, undefined, { authorization });
    expect((await look('/v1/payments/payment')).body.count).toBe(0);
    expect(await look(`/v1/payments/payment/${payment.id}`)).toMatchObject({
      status: 404,
      body: { name: 'INVALID_RESOURCE_ID' },
    });
  },
  'rule 5': async () => {
    expect(exchanged.body).not.toHaveProperty('refresh_token');
    const token = await sandbox.newToken();
    await sandbox.request('DELETE', `/admin/applications/${CLIENT_ID}/tokens`);
    expect((await listWith(`Bearer ${token}`)).status).toBe(401);
    expect((await listWith(`Bearer ${await sandbox.newToken()}`)).status).toBe(200);
  },
});
