import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { CLIENT_ID, CLIENT_SECRET, SandboxFixture } from './sandbox-fixture.js';

describe('access tokens', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const use = (token: string) =>
    sandbox.request('GET', '/v1/payments/payment', undefined, { authorization: `Bearer ${token}` });

  it('are given for the client’s credentials, for 28800 seconds', async () => {
    const { status, body } = await sandbox.exchange(CLIENT_ID, CLIENT_SECRET);
    expect(status).toBe(200);
    expect(body).toEqual({
      scope: expect.stringContaining('/v1/payments/.*'),
      access_token: expect.any(String),
      token_type: 'Bearer',
      app_id: expect.stringMatching(/^APP-/),
      expires_in: 28800,
    });
    expect((await use(body.access_token)).status).toBe(200);
  });

  it.each([
    ['a wrong secret', CLIENT_ID, 'wrong'],
    ['an unknown client', 'nobody', CLIENT_SECRET],
  ])('are refused for %s', async (_, clientId, secret) => {
    const { status, body, headers } = await sandbox.exchange(clientId, secret);
    expect(status).toBe(401);
    expect(body).toEqual({ error: 'invalid_client', error_description: expect.any(String) });
    expect(headers.get('www-authenticate')).toContain('Basic');
  });

  it('are refused for another grant and for a body that is no form', async () => {
    expect((await sandbox.exchange(CLIENT_ID, CLIENT_SECRET, 'grant_type=password')).body.error).toBe(
      'unsupported_grant_type',
    );
    const json = await sandbox.request('POST', '/v1/oauth2/token', { grant_type: 'client_credentials' });
    expect(json).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
  });

  it.each([
    ['none', {}],
    ['an invented one', { authorization: 'Bearer A21AAinvented' }],
    ['basic credentials', { authorization: 'Basic c2hvcDpzaG9wLXNlY3JldA==' }],
  ])(
    'are required on every call: %s is a 401 in the documented shape',
    async (_, headers: Record<string, string>) => {
      const { status, body } = await sandbox.request('GET', '/v1/payments/payment', undefined, headers);
      expect(status).toBe(401);
      expect(body).toMatchObject({
        name: 'AUTHENTICATION_FAILURE',
        message: expect.any(String),
        debug_id: expect.any(String),
      });
    },
  );

  it('survive a restart of the service, and are stored as hashes only', async () => {
    const token = await sandbox.newToken();
    await sandbox.restart();
    expect((await use(token)).status).toBe(200);
    const tokens = await sandbox.sql('SELECT * FROM access_tokens');
    expect(JSON.stringify(tokens)).not.toContain(token);
    expect(JSON.stringify(await sandbox.sql('SELECT * FROM applications'))).not.toContain(CLIENT_SECRET);
  });

  it('end after their lifetime', async () => {
    const token = await sandbox.newToken();
    await sandbox.sql("UPDATE access_tokens SET expires_at = now() - interval '1 second'");
    await sandbox.restart();
    expect((await use(token)).status).toBe(401);
  });

  it('end when they are revoked', async () => {
    const token = await sandbox.newToken();
    expect((await use(token)).status).toBe(200);
    expect((await sandbox.request('DELETE', `/admin/applications/${CLIENT_ID}/tokens`)).status).toBe(204);
    expect((await use(token)).status).toBe(401);
  });

  it.each([
    [401, 'invalid_client'],
    [429, 'rate_limit_reached'],
    [503, 'temporarily_unavailable'],
  ])('are refused in their own shape by a fault, too: %i', async (status, error) => {
    await sandbox.switchOnFault({ operation: 'token', kind: 'status', status });
    const refused = await sandbox.exchange(CLIENT_ID, CLIENT_SECRET);
    expect(refused).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
  });
});
