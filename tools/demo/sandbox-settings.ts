import { Failure } from '../failure.js';
import type { DemoContext } from './demo-context.js';

type Settings = Readonly<Record<string, unknown>>;

/** Sets the demo's application up at the sandbox for as long as `play` lasts, and as it was before afterwards. */
export async function withSandboxSettings<T>(
  context: DemoContext,
  settings: Settings,
  play: () => Promise<T>,
): Promise<T> {
  const before = await readSettings(context);
  await configure(context, { ...before, ...settings });
  try {
    return await play();
  } finally {
    await configure(context, before);
  }
}

async function readSettings(context: DemoContext): Promise<Settings> {
  const response = await callAdmin(context, { method: 'GET' });
  const { settings } = (await response.json()) as { settings: Settings };
  return settings;
}

async function configure(context: DemoContext, settings: Settings): Promise<void> {
  const { clientSecret } = context.sandbox;
  await callAdmin(context, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientSecret, ...settings }),
  });
}

async function callAdmin({ sandbox: { url, clientId } }: DemoContext, init: RequestInit): Promise<Response> {
  const response = await fetch(`${url}/admin/applications/${clientId}`, {
    ...init,
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Failure(`The sandbox answered ${response.status} to its settings.`);
  return response;
}
