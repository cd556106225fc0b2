import { z } from 'zod';
import type { FoundEvent, PaymentsClient } from '../../../../libs/payments-client/src/index.js';
import { clockSkewMs } from './clock-skew.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 100;
const mostPages = 100;
/** What an executed agreement shows of us: the address that its payer came back to. */
const ours = z.object({
  plan: z.object({ merchant_preferences: z.object({ return_url: z.string() }) }),
});

/**
 * Searches the provider's past events for the agreement whose payer was sent back to an address of ours. Agreements
 * cannot be listed, and one whose execution was not answered has no id that we know; its creation was an event.
 *
 * @param since when its execution was first sent.
 * @param until when, at the latest, the provider has carried the last attempt out.
 * @returns the agreement's id; 'unreadable' when there were more pages than we read, or an agreement that does not say
 * where its payer came back to: then absence is not shown.
 */
export async function findExecutedAgreement(
  client: PaymentsClient,
  returnUrl: string,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<{ readonly agreementId: string } | 'absent' | 'unreadable'> {
  const search = {
    eventType: 'BILLING.SUBSCRIPTION.CREATED',
    startTime: new Date(since.getTime() - clockSkewMs).toISOString(),
    endTime: new Date(until.getTime() + clockSkewMs).toISOString(),
    pageSize,
  };
  let pages = 0;
  let absence: 'absent' | 'unreadable' = 'absent';
  for await (const page of client.events.search(search, { signal: searchLimit() })) {
    const found = page.events.find((event) => returnUrlOf(event) === returnUrl);
    const agreementId = found?.event.resourceIds.agreementId;
    if (agreementId !== undefined) return { agreementId };
    const isUnclear = page.unreadable > 0 || page.events.some((event) => returnUrlOf(event) === undefined);
    if (found || isUnclear) absence = 'unreadable';
    pages += 1;
    if (pages >= mostPages) return page.nextQuery === undefined ? absence : 'unreadable';
  }
  return absence;
}

function returnUrlOf({ event }: FoundEvent): string | undefined {
  return ours.safeParse(event.resource).data?.plan.merchant_preferences.return_url;
}
