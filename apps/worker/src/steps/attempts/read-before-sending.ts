import { recordCalls } from '#database/calls';
import type { Subject } from '#workflows/contract';
import type { ActivityContext } from '../activities/context.js';
import type { InputOf, Kind, Work } from '../activities/subject-writer.js';
import { isProviderTrouble } from '../../provider/provider-facts.js';
import { StepRecord } from './step-record.js';

/**
 * Reads the resource before a call changes it, for a lookup that compares with nothing else.
 *
 * @returns 'unreadable' if it cannot be read; undefined if the attempt may have been sent before a restore: what is read
 *   now is not what was before it.
 */
export async function readBeforeFirstSending<K extends Kind, T>(
  work: Work<K>,
  input: InputOf<K>,
  read: () => Promise<T>,
): Promise<T | 'unreadable' | undefined> {
  const record = new StepRecord(work, input);
  if (await record.mayHaveBeenSent()) return undefined;
  return (await readBeforeSending(work.context, record.subject, read)) ?? 'unreadable';
}

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
