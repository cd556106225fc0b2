import type { Stack } from '#tools/stack.js';
import type { Participants, Scenario } from '../lifecycle.js';
import { OrderService } from '../order-service.js';
import { Payer } from '../payer.js';
import { ProviderAccount } from '../provider-account.js';
import type { SandboxControl } from '../sandbox-control.js';
import type { Tenant } from './tenants.js';
import type { ReportedEnds } from '../reported-ends.js';

/** For each application an order service of its own. @param told notes what they and their payers are answered. */
export function participantsIn(
  { apiUrls, addresses }: Pick<Stack, 'apiUrls' | 'addresses'>,
  tenants: readonly Tenant[],
  provider: SandboxControl,
  reported: ReportedEnds,
  signal: AbortSignal,
): (scenario: Scenario) => Participants {
  const payer = new Payer(reported);
  const byApplication = new Map(
    tenants.map((tenant) => [
      tenant.application.name,
      {
        orderService: new OrderService(apiUrls, tenant.apiKey, reported),
        payer,
        provider,
        account: new ProviderAccount(addresses.sandbox, tenant, signal),
      },
    ]),
  );
  return ({ application }) => {
    const participants = byApplication.get(application);
    if (!participants) throw new TypeError(`no application "${application}" is on stage`);
    return participants;
  };
}
