import { z } from 'zod';

/** Links to further operations; only those that are useful in the current state. */
export const shownLinks = z.array(
  z.object({ rel: z.string(), href: z.string(), method: z.enum(['GET', 'POST']) }),
);
type Link = z.output<typeof shownLinks>[number];

export function toRead(rel: string, href: string): Link {
  return { rel, href, method: 'GET' };
}

export function toAsk(rel: string, href: string): Link {
  return { rel, href, method: 'POST' };
}

type LinkedRow = { readonly status: string; readonly state: { readonly openStep?: unknown } };

/** The link to the evidence, while the outcome of a call is unknown or a review is open. */
export function toReview(row: LinkedRow, self: string): Link[] {
  const isOfUse = row.status === 'needs_review' || row.state.openStep !== undefined;
  return [...(isOfUse ? [toRead('review', `${self}/review`)] : []), ...toCheck(row, self)];
}

export function toCheck({ state }: Pick<LinkedRow, 'state'>, self: string): Link[] {
  return state.openStep === undefined ? [] : [toAsk('check', `${self}/check`)];
}
