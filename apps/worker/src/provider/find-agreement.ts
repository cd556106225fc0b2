import { z } from 'zod';
import type { FoundEvent, PaymentsClient } from '../../../../libs/payments-client/src/index.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 100;
const mostPages = 100;
/** The provider's clock and ours may differ. */
const clockSkewMs = 120_000;

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
 * @returns the agreement's id; 'unreadable' when there were more pages than we read: then absence is not shown.
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
  for await (const page of client.events.search(search, { signal: searchLimit() })) {
    const found = page.events.find((event) => isOurs(event, returnUrl));
    const agreementId = found?.event.resourceIds.agreementId;
    if (agreementId !== undefined) return { agreementId };
    pages += 1;
    if (pages >= mostPages) return page.nextQuery === undefined ? 'absent' : 'unreadable';
  }
  return 'absent';
}

function isOurs({ event }: FoundEvent, returnUrl: string): boolean {
  const shown = ours.safeParse(event.resource);
  return shown.success && shown.data.plan.merchant_preferences.return_url === returnUrl;
}
