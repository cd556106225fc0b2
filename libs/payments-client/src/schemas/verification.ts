import { z } from 'zod';

/** The provider's word about a signature. Anything but the two it knows is no word. */
export const verification: z.ZodType<boolean> = z
  .object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) })
  .transform((wire) => wire.verification_status === 'SUCCESS');
