import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { UnreadableAnswerError } from './provider-facts.js';

const secondReadAfterMs = 1_000;
/** If one read takes longer, two do not fit into the limit of an activity. */
const twoReadsFitMs = 12_000;

/**
 * Repeats a read after one second. One answer may be incomplete, so irreversible decisions need two equal answers
 * (docs/decisions/0009).
 */
export async function readAgain<Shown>(read: () => Promise<Shown>): Promise<Shown> {
  await wait(secondReadAfterMs);
  return await read();
}

/**
 * Reads, and reads again what one answer must not show alone.
 *
 * @throws {UnreadableAnswerError} if neither answer may stand alone and they do not agree, or if there is no time for two:
 *   a later read, of a provider that answers faster, shows it; or a person decides.
 */
export async function confirmedRead<Shown>(
  read: () => Promise<Shown>,
  needsTwoReads: (shown: Shown) => boolean = () => true,
  whatMustAgree: (shown: Shown) => unknown = (shown) => shown,
): Promise<Shown> {
  const begunAt = Date.now();
  const first = await read();
  if (!needsTwoReads(first)) return first;
  if (Date.now() - begunAt > twoReadsFitMs) throw new UnreadableAnswerError();
  const second = await readAgain(read);
  const isSame = isDeepStrictEqual(whatMustAgree(first), whatMustAgree(second));
  if (needsTwoReads(second) && !isSame) throw new UnreadableAnswerError();
  return second;
}
