import { z } from 'zod';
import { findSealedLetters } from '#database/subjects';
import { type CodecKeys, openSealedText } from '#payload-codec';
import type { StepInput } from '#workflows/contract';
import { NotSentError } from '../steps/attempts/error-mapping.js';
import type { PaymentWork } from './payment-writer.js';

const letters = z.object({
  shippingAddress: z
    .object({
      recipientName: z.string().optional(),
      line1: z.string(),
      line2: z.string().optional(),
      city: z.string().optional(),
      state: z.string().optional(),
      postalCode: z.string().optional(),
      countryCode: z.string(),
    })
    .optional(),
  noteToPayer: z.string().optional(),
});
type Letters = z.output<typeof letters>;

/**
 * Decrypts what the API has encrypted: where the purchase is sent, and the note to the payer.
 *
 * @returns how to get it; that throws if it is deleted, which it is once the provider has the payment. A late worker then
 *   finds that attempt and sends nothing.
 */
export async function lettersOf(
  { context: { db } }: PaymentWork,
  codecKeys: CodecKeys,
  { identity: { paymentId } }: StepInput,
): Promise<() => Letters> {
  const sealed = await findSealedLetters(db, 'payments', paymentId);
  if (!sealed) {
    return () => {
      throw new NotSentError('the shipping address and the note of the payment were already deleted');
    };
  }
  const opened = letters.parse(JSON.parse(openSealedText(codecKeys, sealed, paymentId)));
  return () => opened;
}
