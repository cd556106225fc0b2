import { z } from 'zod';

/** A link object (2.3). */
export interface Link {
  readonly rel: string;
  readonly href: string;
}

export const links: z.ZodType<readonly Link[] | null | undefined> = z
  .array(z.object({ rel: z.string(), href: z.string() }))
  .nullish();

/** Where to send the payer's browser; anything but a web address is no approval link. */
export function approvalUrl(list: readonly Link[] | null | undefined): string | undefined {
  const href = list?.find(({ rel }) => rel.toLowerCase() === 'approval_url')?.href;
  return href !== undefined && /^https?:\/\//i.test(href) && URL.canParse(href) ? href : undefined;
}
