import { recordCalls } from '#database/calls';
import type { Subject } from '#workflows/contract';
import type { ActivityContext } from '../context.js';
import { isProviderTrouble } from '../provider/provider-facts.js';

/**
 * Reads what a call is about to change, so that a lost answer can be told from a lost request. The calls are kept on
 * record at once: an attempt may never be made.
 *
 * @returns undefined where it cannot be read.
 */
export async function readBeforeSending<T>(
  { db, providers }: ActivityContext,
  subject: Subject,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const { result, calls } = await providers.recording(async () => {
    try {
      return await read();
    } catch (error) {
      if (isProviderTrouble(error)) return undefined;
      throw error;
    }
  });
  await recordCalls(db, subject, calls);
  return result;
}
