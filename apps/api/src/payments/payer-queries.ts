import { z } from 'zod';
import { hasEmail } from '#database/text';

const providerText = z
  .string()
  .min(1)
  .max(127)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII')
  .refine((value) => !hasEmail(value), 'must not hold an e-mail address');

/** What the provider adds to the return address; other parameters are ignored. */
export const payerReturnQuery = z.object({
  paymentId: providerText.meta({ description: 'The provider’s id of the payment.' }),
  token: providerText.meta({ description: 'The token of the approval address.' }),
  // The provider refuses longer ones, and that would look as if it had refused the payment.
  PayerID: providerText.max(64).meta({ description: 'The provider’s id of the payer.' }),
});
export type PayerReturnQuery = z.output<typeof payerReturnQuery>;

export const payerCancelQuery = z.object({ token: providerText });
export type PayerCancelQuery = z.output<typeof payerCancelQuery>;
