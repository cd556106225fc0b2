import { recordCalls } from '#database/calls';
import type { Subject } from '#workflows/contract';
import type { ActivityContext } from '../activities/context.js';
import { isProviderTrouble } from '../../provider/provider-facts.js';

/**
 * Reads the resource before a call changes it, so that a lost answer can be distinguished from a lost request. The reads
 * are recorded at once, because an attempt may never follow.
 *
 * @returns undefined if it cannot be read.
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
