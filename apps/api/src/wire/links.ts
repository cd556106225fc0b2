import { z } from 'zod';

/** Where to go on from what is shown; only what is of use as it stands. */
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

type Standing = { readonly status: string; readonly state: { readonly openStep?: unknown } };

/** The evidence: of interest as long as nobody knows what became of a call, and where a person is asked. */
export function toReview(row: Standing, self: string): Link[] {
  const isOfUse = row.status === 'needs_review' || row.state.openStep !== undefined;
  return [...(isOfUse ? [toRead('review', `${self}/review`)] : []), ...toCheck(row, self)];
}

export function toCheck({ state }: Pick<Standing, 'state'>, self: string): Link[] {
  return state.openStep === undefined ? [] : [toAsk('check', `${self}/check`)];
}
