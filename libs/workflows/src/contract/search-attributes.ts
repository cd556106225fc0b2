import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';

/** Set at the start of a run and never after, so that they cost no event. Never encrypted: no e-mail in them. */
export const searchAttributes = {
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  application: defineSearchAttributeKey('Application', SearchAttributeType.KEYWORD),
  orderId: defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD),
  intent: defineSearchAttributeKey('Intent', SearchAttributeType.KEYWORD),
} as const;
