import { createHash } from 'node:crypto';
import type { DevelopmentConfig } from '#tools/development-config.js';
import type { Application } from '../applications.js';
import { shop } from '../applications.js';
import type { SandboxControl } from '../sandbox-control.js';
import { newSecret } from '#tools/new-secret.js';

/** An application with its credentials: at the provider, and at the engine. */
export interface Tenant {
  readonly application: Application;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  readonly apiKey: string;
}

/** @param config of the stack, whose own application the shop is. */
export function tenantsOf(
  applications: readonly Application[],
  { clientId, clientSecret, webhookSecret, apiKey }: DevelopmentConfig,
): Tenant[] {
  return applications.map((application) =>
    application.name === shop.name
      ? { application, clientId, clientSecret, webhookSecret, apiKey }
      : {
          application,
          clientId: application.name,
          clientSecret: newSecret(),
          webhookSecret: newSecret(),
          apiKey: newSecret(),
        },
  );
}

/** The variables by which API and worker know them. */
export function environmentOf(
  tenants: readonly Tenant[],
  sandboxUrl: string,
): { readonly api: Record<string, string>; readonly worker: Record<string, string> } {
  const environment = 'sandbox';
  const applications = tenants.map(({ application, clientId, clientSecret, webhookSecret }) => ({
    environment,
    application: application.name,
    baseUrl: sandboxUrl,
    clientId,
    clientSecret,
    webhookSecret,
    webhookAuthentication: 'signature',
  }));
  const keys = tenants.map(({ application, apiKey }) => ({
    id: application.name,
    sha256: createHash('sha256').update(apiKey).digest('hex'),
    environment,
    application: application.name,
  }));
  const worker = { PROVIDER_APPLICATIONS: JSON.stringify(applications) };
  return { api: { ...worker, API_KEYS: JSON.stringify(keys) }, worker };
}

/** Tells the provider of them. */
export async function putTenants(admin: SandboxControl, tenants: readonly Tenant[]): Promise<void> {
  for (const { application, clientId, clientSecret } of tenants)
    await admin.putApplication(clientId, clientSecret, application.settings);
}
