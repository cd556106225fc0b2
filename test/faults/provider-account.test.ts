import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { ProviderAccount } from '#proof/faults/provider-account.js';

type Reply = readonly [status: number, body: string];

/** A provider that answers the reads of a path in this order, and the last one again and again. */
async function providerAnswering(path: string, replies: readonly Reply[]) {
  let reads = 0;
  const server = createServer((request, response) => {
    const isToken = request.url === '/v1/oauth2/token';
    if (!isToken && request.url !== path) throw new Error(`unexpected ${request.url}`);
    const token: Reply = [200, JSON.stringify({ access_token: 'token' })];
    const [status, body] = isToken ? token : (replies[Math.min(reads++, replies.length - 1)] ?? token);
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { clientId: 'campaign', clientSecret: 'secret' };
  return {
    account: new ProviderAccount(origin, credentials, new AbortController().signal),
    close: () => server.close(),
  };
}

const path = '/v1/payments/billing-agreements/I-1';
const agreement = {
  id: 'I-1',
  state: 'Active',
  name: 'Almanac',
  agreement_details: { cycles_completed: '1', outstanding_balance: { value: '0.00' } },
};
const page = '<html><body>502 Bad Gateway</body></html>';

it('takes what a proxy or gateway has written for no answer of the provider, whatever its status', async () => {
  const provider = await providerAnswering(path, [
    [404, page],
    [404, JSON.stringify({ error: 'request_blocked', message: 'The gateway has blocked this request.' })],
    [200, page],
    [200, JSON.stringify(agreement)],
  ]);
  try {
    expect(await provider.account.agreement('I-1')).toMatchObject({ id: 'I-1', state: 'Active' });
  } finally {
    provider.close();
  }
});

it('asks for the payments of an agreement by dates that include today, which the provider requires', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
    if (pathname === '/v1/oauth2/token') return response.end(JSON.stringify({ access_token: 'token' }));
    const [from, to] = ['start_date', 'end_date'].map((name) => searchParams.get(name) ?? '');
    const isValid = from !== undefined && to !== undefined && from !== '' && from <= today && today <= to;
    const sale = { transaction_id: 'SALE-1', status: 'Completed' };
    return response
      .writeHead(isValid ? 200 : 400)
      .end(JSON.stringify({ agreement_transaction_list: isValid ? [sale] : [] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { clientId: 'campaign', clientSecret: 'secret' };
  const account = new ProviderAccount(`http://127.0.0.1:${port}`, credentials, new AbortController().signal);
  try {
    expect(await account.collectedFor('I-1')).toEqual(['SALE-1']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('takes a refusal by the provider for one', async () => {
  const refusal = JSON.stringify({ name: 'RESOURCE_NOT_FOUND' });
  const provider = await providerAnswering(path, [[404, refusal]]);
  try {
    await expect(provider.account.agreement('I-1')).rejects.toThrow('with 404');
  } finally {
    provider.close();
  }
});
