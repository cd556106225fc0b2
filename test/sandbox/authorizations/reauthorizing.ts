import type { Answer, PaymentChanges, SandboxFixture } from '../sandbox-fixture.js';

/** Long enough for no test to end the 29 days, nor the honour period, by the clock. */
export const LONG_DAY_MS = 3_600_000;

export function reauthorize(
  sandbox: SandboxFixture,
  authorizationId: string,
  total = '110.00',
  more: { currency?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const body = { amount: { total, currency: more.currency ?? 'USD' } };
  const path = `/v1/payments/authorization/${authorizationId}/reauthorize`;
  return sandbox.call('POST', path, body, more.headers);
}

/** An authorization whose honour period is over, though its 29 days are long. */
export async function honoured(sandbox: SandboxFixture, changes: PaymentChanges = {}) {
  const made = await sandbox.authorized(changes);
  await endHonourPeriod(sandbox, made.authorizationId);
  return made;
}

export async function endHonourPeriod(sandbox: SandboxFixture, authorizationId: string): Promise<void> {
  await sandbox.sql(`UPDATE authorizations SET honored_until = now() WHERE id = '${authorizationId}'`);
}

export function relsOf(resource: { links: { rel: string }[] }): string[] {
  return resource.links.map(({ rel }) => rel);
}
