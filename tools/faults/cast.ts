import type { Stack } from '../stack.js';
import type { Cast, Story } from './lifecycle.js';
import { OrderService } from './order-service.js';
import { Payer } from './payer.js';
import { ProviderAccount } from './provider-account.js';
import type { SandboxAdmin } from './sandbox-admin.js';
import type { Tenant } from './tenants.js';

/** For each application an order service of its own. */
export function castsOf(
  { apiUrls, addresses }: Pick<Stack, 'apiUrls' | 'addresses'>,
  tenants: readonly Tenant[],
  provider: SandboxAdmin,
  signal: AbortSignal,
): (story: Story) => Cast {
  const payer = new Payer();
  const casts = new Map(
    tenants.map((tenant) => [
      tenant.application.name,
      {
        orderService: new OrderService(apiUrls, tenant.apiKey),
        payer,
        provider,
        account: new ProviderAccount(addresses.sandbox, tenant, signal),
      },
    ]),
  );
  return ({ application }) => {
    const cast = casts.get(application);
    if (!cast) throw new TypeError(`no application "${application}" is on stage`);
    return cast;
  };
}
