import type { Cast, Story } from './lifecycle.js';
import { OrderService } from './order-service.js';
import { Payer } from './payer.js';
import type { SandboxAdmin } from './sandbox-admin.js';
import type { Tenant } from './tenants.js';

/**
 * For each application an order service of its own.
 *
 * @param origins one per API process.
 */
export function castsOf(
  origins: readonly string[],
  tenants: readonly Tenant[],
  provider: SandboxAdmin,
): (story: Story) => Cast {
  const payer = new Payer();
  const casts = new Map(
    tenants.map(({ application, apiKey }) => [
      application.name,
      { orderService: new OrderService(origins, apiKey), payer, provider },
    ]),
  );
  return ({ application }) => {
    const cast = casts.get(application);
    if (!cast) throw new TypeError(`no application "${application}" is on stage`);
    return cast;
  };
}
