import { z } from 'zod';

export const webhookSettings = {
  /**
   * Spelling of the rels of a webhook's links: upper case as in section 2.3 of the interface, lower case as in the
   * public API, or both, because clients of either kind compare exactly.
   */
  webhookLinkRels: z.enum(['interface', 'paypal-v1', 'both']).default('both'),
};

export type WebhookLinkRels = z.output<typeof webhookSettings.webhookLinkRels>;
