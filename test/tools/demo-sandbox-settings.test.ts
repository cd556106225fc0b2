import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoContext } from '#tools/demo/demo-context.js';
import { withSandboxSettings } from '#tools/demo/sandbox-settings.js';

/** What somebody has set before a demo is played. */
const own = { dayLengthMs: null, payoutUnknownReceivers: 'unclaimed' };

let settings: object;
let server: Server;
let context: DemoContext;

describe('the sandbox settings of a demo', () => {
  beforeEach(async () => {
    settings = own;
    server = await listen();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    context = {
      api: '',
      apiKey: '',
      sandbox: { url, clientId: 'shop', clientSecret: 's' },
      tell: () => undefined,
      signal: AbortSignal.timeout(10_000),
    };
  });
  afterEach(() => server.close());

  it('do not change those of others', async () => {
    const during = await withSandboxSettings(context, { dayLengthMs: 1_250 }, async () => settings);
    expect(during).toEqual({ ...own, dayLengthMs: 1_250 });
    expect(settings).toEqual(own);
  });

  it('are restored when the demo fails', async () => {
    const played = withSandboxSettings(context, { dayLengthMs: 1_250 }, async () => {
      throw new Error('stopped');
    });
    await expect(played).rejects.toThrow('stopped');
    expect(settings).toEqual(own);
  });
});

/** The sandbox's own way: a PUT replaces all settings, so that those it leaves out take their defaults. */
async function listen(): Promise<Server> {
  const sandbox = createServer((request, response) => {
    if (request.url !== '/admin/applications/shop') return void response.writeHead(404).end();
    if (request.method === 'GET') return void response.end(JSON.stringify({ settings }));
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { clientSecret, ...rest } = JSON.parse(body) as { clientSecret: string };
      settings = rest;
      response.writeHead(clientSecret === 's' ? 200 : 400).end('{}');
    });
  });
  await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve));
  return sandbox;
}
