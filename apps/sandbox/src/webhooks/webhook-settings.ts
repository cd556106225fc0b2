import { z } from 'zod';

export const webhookSettings = {
  /**
   * Letters of the rels of a webhook's links: upper case as section 2.3 of the interface gives them, lower case as the
   * public API does, or both, because clients of either kind compare letter by letter.
   */
  webhookLinkRels: z.enum(['interface', 'paypal-v1', 'both']).default('both'),
};

export type WebhookLinkRels = z.output<typeof webhookSettings.webhookLinkRels>;
