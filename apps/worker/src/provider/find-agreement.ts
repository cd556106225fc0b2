import { z } from 'zod';
import type { FoundEvent, PaymentsClient } from '#payments-client';
import { isAllSearched, spanAtProvider } from './clock-skew.js';
import { mayBeCut } from './cut-page.js';
import { searchLimit } from './provider-clients.js';
import { isReturnTo } from './return-address.js';

const pageSize = 100;
const mostPages = 100;
/** The shortest time span; it is not divided further. */
const shortestMs = 1_000;
/** The part of an executed agreement that identifies it as ours: the payer's return address. */
const ours = z.object({
  plan: z.object({ merchant_preferences: z.object({ return_url: z.string() }) }),
});

/**
 * Searches the provider's past events for the agreement with our return address. Agreements cannot be listed, and after
 * an unanswered execution we do not know the agreement's id. Its creation was an event.
 *
 * @param time since its execution was first sent, until the latest instant at which the provider can have carried out the last
 *   attempt.
 * @returns the agreement's id; 'unreadable' if there were more pages than we could read, or an agreement without a
 *   return address: then absence is not proved.
 */
export async function findExecutedAgreement(
  client: PaymentsClient,
  returnUrl: string,
  time: { readonly since: Date; readonly until: Date },
): Promise<{ readonly agreementId: string } | 'absent' | 'unreadable'> {
  const signal = searchLimit();
  const whole = spanAtProvider(client, time);
  const spans: Span[] = [whole];
  let pages = 0;
  let absence: 'absent' | 'unreadable' = 'absent';
  for (const span of spans) {
    let isCut = false;
    for await (const page of client.events.search(searchOf(span), { signal })) {
      const found = page.events.find((event) => isReturnTo(returnUrl, returnUrlOf(event)));
      const agreementId = found?.event.resourceIds.agreementId;
      if (agreementId !== undefined) return { agreementId };
      const isUnclear = page.unreadable > 0 || page.events.some((event) => returnUrlOf(event) === undefined);
      if (found || isUnclear) absence = 'unreadable';
      isCut = mayBeCut(page, pageSize);
      pages += 1;
      if (pages >= mostPages && (isCut || page.nextQuery !== undefined)) return 'unreadable';
    }
    if (!isCut) continue;
    if (span.to - span.from <= shortestMs) return 'unreadable';
    spans.push(...halvesOf(span));
  }
  return isAllSearched(client, whole, time) ? absence : 'unreadable';
}

/** A time span to search, both ends in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function searchOf({ from, to }: Span) {
  return {
    eventType: 'BILLING.SUBSCRIPTION.CREATED',
    startTime: new Date(from).toISOString(),
    endTime: new Date(to).toISOString(),
    pageSize,
  };
}

/** Both halves include the instant between them. */
function halvesOf({ from, to }: Span): Span[] {
  const middle = Math.floor((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

function returnUrlOf({ event }: FoundEvent): string | undefined {
  return ours.safeParse(event.resource).data?.plan.merchant_preferences.return_url;
}
