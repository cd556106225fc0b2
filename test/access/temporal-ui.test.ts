import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workflowIdOf } from '#workflows/contract';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { childrenOf, commandLineOf } from '#tools/process-table.js';
import { type Stack, startStack } from '#tools/stack.js';
import { launchBrowser } from '../browser/browser.js';
import { OrderService } from '../helpers/order-service.js';

/** The stack as `npm start` brings it up: each part a process of its own, the Web UI among them. */
const dataFolder = mkdtempSync(join(tmpdir(), 'temporal-ui-'));
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ dataFolder });
});
afterAll(async () => {
  await stack.stop();
  deleteDataFolder(dataFolder);
});

/** Everything that the stack keeps from others: what it generated, and its databases' passwords. */
function secrets(): string[] {
  const config = JSON.parse(readFileSync(join(dataFolder, 'config.json'), 'utf8')) as Record<string, string>;
  const { clientId: _public, ...generated } = config;
  const { engineDatabase, sandboxDatabase } = stack.addresses;
  return [
    ...Object.values(generated),
    ...[engineDatabase, sandboxDatabase].map((url) => new URL(url).password),
  ];
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child.pid, ...descendantsOf(child.pid)]);
}

const ui = () => stack.addresses.temporalUi ?? '';

it('keeps every secret out of process arguments and out of Temporal’s public pages', async () => {
  const lines = descendantsOf(process.pid).map(commandLineOf);
  for (const part of ['apps/api/', 'apps/worker/', 'apps/sandbox/', 'start-dev', 'bin/postgres'])
    expect(lines).toContainEqual(expect.stringContaining(part));
  const settings = await (await fetch(`${ui()}/api/v1/settings`)).text();
  expect(JSON.parse(settings)).toMatchObject({ Codec: { Endpoint: `${stack.addresses.api}/codec` } });
  expect(secrets().length).toBeGreaterThan(5);
  for (const secret of secrets()) {
    expect(secret.length).toBeGreaterThan(16);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(settings).not.toContain(secret);
  }
});

it('shows histories in Temporal’s UI only to a browser that signed in with a link', async () => {
  const { api } = stack.addresses;
  const orderId = `order-seen-in-the-ui`;
  const { body: payment } = await new OrderService(api, stack.apiKey).order({ orderId });
  const workflowId = workflowIdOf({ environment: 'sandbox', application: 'shop', id: payment.id });
  const page = `${ui()}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    // What an operator sets once, in the data encoder's settings of that page.
    await context.addInitScript(
      ([origin, endpoint]) => {
        const { location } = globalThis as unknown as { location: { origin: string } };
        if (location.origin !== origin) return;
        localStorage.setItem('endpoint', JSON.stringify(endpoint));
        localStorage.setItem('includeCredentials', 'true');
        localStorage.setItem('overrideRemoteCodecConfiguration', 'true');
      },
      [ui(), `${api}/codec`] as const,
    );
    const tab = await context.newPage();
    // Newer versions of the UI ask several times, and add a query.
    const decoded = (isMeant: (status: number, text: string) => boolean) =>
      tab.waitForResponse(
        async (response) =>
          response.url().startsWith(`${api}/codec/decode`) &&
          isMeant(response.status(), await textsOf(response)),
        { timeout: 60_000 },
      );
    await Promise.all([decoded((status) => status === 401), tab.goto(page)]);

    const opened = await fetch(`${api}/v1/codec-sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}` },
    });
    const { signInUrl } = (await opened.json()) as { signInUrl: string };
    await tab.goto(signInUrl);
    expect(await tab.locator('h1').innerText()).toContain('can read payloads');
    await Promise.all([decoded((status, text) => status === 200 && text.includes(orderId)), tab.goto(page)]);
  } finally {
    await browser.close();
  }
});

/** What the payloads of an answer say; empty if it is refused. */
async function textsOf(response: Response): Promise<string> {
  if (response.status() !== 200) return '';
  const { payloads } = (await response.json()) as { payloads: { data: string }[] };
  return payloads.map(({ data }) => Buffer.from(data, 'base64').toString()).join('\n');
}
