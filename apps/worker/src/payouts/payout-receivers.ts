import { z } from 'zod';
import { type CodecKeys, openSealedText } from '#payload-codec';

const receivers = z.object({
  emailSubject: z.string().optional(),
  /** In the order of the items: receiver and note. */
  items: z.array(z.tuple([z.string(), z.string().nullable()])),
});

/** Decrypts the receivers and texts of a payout, which the API has encrypted. @throws if it cannot be decrypted. */
export function openReceivers(keys: CodecKeys, sealed: Buffer, payoutId: string): z.output<typeof receivers> {
  return receivers.parse(JSON.parse(openSealedText(keys, sealed, payoutId)));
}
