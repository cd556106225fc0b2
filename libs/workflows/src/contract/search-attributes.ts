import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';

/**
 * Set only at the start of a run, so that they cost no event. They are not encrypted, so they must not contain an
 * e-mail address.
 */
export const searchAttributes = {
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  application: defineSearchAttributeKey('Application', SearchAttributeType.KEYWORD),
  orderId: defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD),
  intent: defineSearchAttributeKey('Intent', SearchAttributeType.KEYWORD),
} as const;
