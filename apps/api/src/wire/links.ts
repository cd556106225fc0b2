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
