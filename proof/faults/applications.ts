/** Payments to this account are approved at once. */
export const approvedAtOncePayee = 'at-once@payee.example';

/** An application of the campaign's order services, and how the provider treats it. */
export interface Application {
  readonly name: string;
  /** At the sandbox, beside its secret; those left out have their defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const approvalRules = [{ payeeEmail: approvedAtOncePayee, approval: 'immediate' }];

/** The application whose money arrives at once, with days of usual length. */
export const shop: Application = { name: 'shop', settings: { approvalRules } };

/** As the shop, for one kind of what the provider may do otherwise. */
export function variantOfShop(name: string, settings: Application['settings']): Application {
  return { name, settings: { ...shop.settings, ...settings } };
}
