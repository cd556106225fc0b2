import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '#tools/ports.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { projectRoot } from '#tools/project.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'sandbox-command-'));
let command: ChildProcess | undefined;

afterEach(async () => {
  await stop();
  deleteDataFolder(dataFolder);
});

it('npm run sandbox prints credentials for an order service, and keeps them and its payments over a restart', async () => {
  const port = await freePort();
  const first = await startCommand(port);
  const { id, state } = await first.createPayment();
  expect(state).toBe('created');
  await stop();

  const second = await startCommand(port);
  expect(second.credentials).toBe(first.credentials);
  expect(await second.call(`/v1/payments/payment/${String(id)}`)).toMatchObject({ id, state: 'created' });
});

/** Only what the command prints is used: what a newcomer has. */
async function startCommand(port: number) {
  const child = spawn(process.execPath, [join(projectRoot, 'tools/bootstrap.mjs'), 'sandbox'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  command = child;
  const printed = await textUntil(child, 'manual');
  const [, credentials = '', origin = ''] =
    /curl -u (\S+) -d grant_type=client_credentials (\S+)\/v1\/oauth2\/token/.exec(printed) ?? [];
  const exchange = await fetch(`${origin}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await exchange.json()) as { access_token: string };
  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${origin}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  return { credentials, call, createPayment: () => call('/v1/payments/payment', order) };
}

const order = {
  intent: 'authorize',
  payer: { payment_method: 'paypal' },
  redirect_urls: { return_url: 'https://shop.example/return', cancel_url: 'https://shop.example/cancel' },
  transactions: [{ amount: { total: '10.00', currency: 'USD' } }],
};

async function textUntil(child: ChildProcess, words: string): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(words)) break;
  }
  if (!text.includes(words)) throw new Error(`The command ended after: ${text}`);
  return text;
}

/** As Ctrl-C does; resolves when all that it started has ended. */
async function stop(): Promise<void> {
  if (command === undefined) return;
  const ended = once(command, 'exit');
  command.kill('SIGINT');
  await ended;
  command = undefined;
}
