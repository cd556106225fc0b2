import type { PaymentsClient, Plan } from '#payments-client';
import { isReturnTo } from './return-address.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 20;
const mostPages = 100;

/**
 * Searches the provider's list of plans for the one with our reference. Lists show little more than names, so each plan
 * with that name is read. Plans are few, and the newest are listed first.
 *
 * @param reference the plan's return address, which is unique to it.
 * @returns 'unreadable' if there were more pages than we read, an incomplete page, or a plan with that name but without
 *   a return address: then absence is not proved.
 */
export async function findPlanByReference(
  client: PaymentsClient,
  name: string,
  reference: string,
): Promise<Plan | 'absent' | 'unreadable'> {
  const signal = searchLimit();
  let page: number | undefined = 0;
  let absence: 'absent' | 'unreadable' = 'absent';
  for (let read = 0; page !== undefined; read += 1) {
    if (read >= mostPages) return 'unreadable';
    const listed = await client.plans.list({ status: 'ALL', page, pageSize }, { signal });
    if (!listed.isWhole) absence = 'unreadable';
    for (const { id, name: shown } of listed.plans) {
      if (shown !== undefined && shown !== name) continue;
      const plan = await client.plans.get(id, { signal });
      const returnUrl = plan.merchantPreferences?.returnUrl;
      if (isReturnTo(reference, returnUrl)) return plan;
      if (returnUrl === undefined) absence = 'unreadable';
    }
    page = listed.nextPage;
  }
  return absence;
}
