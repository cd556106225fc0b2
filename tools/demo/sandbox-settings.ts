import { Failure } from '../failure.js';
import type { DemoContext } from './demo-context.js';

/** Sets the demo's application up at the sandbox for as long as `play` lasts, and as it is by default afterwards. */
export async function withSandboxSettings<T>(
  context: DemoContext,
  settings: Readonly<Record<string, unknown>>,
  play: () => Promise<T>,
): Promise<T> {
  await configure(context, settings);
  try {
    return await play();
  } finally {
    await configure(context, {});
  }
}

async function configure(
  { sandbox }: DemoContext,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { url, clientId, clientSecret } = sandbox;
  const response = await fetch(`${url}/admin/applications/${clientId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientSecret, ...settings }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Failure(`The sandbox answered ${response.status} to its settings.`);
}
