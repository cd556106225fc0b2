import { isLongList, slicesOf } from '../wire/long-lists.js';
import { hasCardNumber } from '#database/text';

/**
 * Paths of the texts in a request that contain a payment card number. Telephone numbers can be as long; they are exempt
 * and stored encrypted.
 */
export async function cardNumbersIn(value: unknown): Promise<string[][]> {
  const found: string[][] = [];
  for (const [name, member] of Object.entries(value ?? {})) {
    if (!isLongList(member)) found.push(...findIn(member, [name]));
    else
      for await (const { start, slice } of slicesOf(member))
        found.push(...slice.flatMap((entry, at) => findIn(entry, [name, String(start + at)])));
  }
  return found;
}

function findIn(value: unknown, path: readonly string[]): string[][] {
  if (typeof value === 'string') return hasCardNumber(value) ? [[...path]] : [];
  if (typeof value !== 'object' || value === null || isTelephone(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => findIn(member, [...path, name]));
}

function isTelephone(value: object): boolean {
  return 'type' in value && value.type === 'PHONE';
}
