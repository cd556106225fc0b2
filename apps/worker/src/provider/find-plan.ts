import type { PaymentsClient, Plan } from '#payments-client';
import { searchLimit } from './provider-clients.js';

const pageSize = 20;
const mostPages = 100;

/**
 * Searches the provider's list of plans for the one that was made under our reference. Lists leave out what a plan says
 * besides its name, so each of that name is read; plans are few, and the newest are listed first.
 *
 * @param reference the plan's address of return, which is ours alone.
 * @returns 'unreadable' when there were more pages than we read, a page that leaves plans out, or a plan of that name
 * that does not say whose it is: then absence is not shown.
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
      if (returnUrl === reference) return plan;
      if (returnUrl === undefined) absence = 'unreadable';
    }
    page = listed.nextPage;
  }
  return absence;
}
