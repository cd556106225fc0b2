import { z } from 'zod';
import { type CodecKeys, openSealedText } from '#payload-codec';

const letters = z.object({
  emailSubject: z.string().optional(),
  /** In the order of the items: to whom, and what is written there. */
  items: z.array(z.tuple([z.string(), z.string().nullable()])),
});

/** What is sent to the receivers of a batch, as the API has sealed it. @throws where it cannot be opened. */
export function openLetters(keys: CodecKeys, sealed: Buffer, payoutId: string): z.output<typeof letters> {
  return letters.parse(JSON.parse(openSealedText(keys, sealed, payoutId)));
}
