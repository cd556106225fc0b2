import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

describe('the caller in the history of calls', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const listed = async (query: string) =>
    (await sandbox.request('GET', `/admin/calls?${query}`)).body.calls as {
      id: string;
      clientId: string | null;
    }[];

  it('is an application under its own name, even one that holds what could be a card number', async () => {
    // Of two hundred random client ids of 24 bytes one has such digits.
    const clientId = 'b489359bb6dd1f7210a145f995296d826793910620407a35';
    await sandbox.request('PUT', `/admin/applications/${clientId}`, { clientSecret: 'a-long-secret' });
    const token = await sandbox.newToken(clientId, 'a-long-secret');
    const read = await sandbox.request('GET', '/v1/payments/payment?count=1', undefined, {
      authorization: `Bearer ${token}`,
    });
    const calls = await listed(`clientId=${clientId}`);
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({ id: read.headers.get('paypal-debug-id'), clientId });
  });

  it('is shown without personal data when no application has the name that was given', async () => {
    const refused = await sandbox.exchange('anna@example.com 4111111111111111', 'whatever-it-is');
    expect(refused.status).toBe(401);
    const call = (await listed('limit=5')).find(({ id }) => id === refused.headers.get('paypal-debug-id'));
    expect(call).toMatchObject({ clientId: '[e-mail] [card number]' });
  });
});
