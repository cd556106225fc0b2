import type { Database } from '../connection/database.js';

/** @returns the encrypted letters of a payment or payout; undefined once the provider has them. */
export async function findSealedLetters(
  db: Database,
  table: 'payments' | 'payouts',
  id: string,
): Promise<Buffer | undefined> {
  const row = await db.selectFrom(table).select('sealed_letters').where('id', '=', id).executeTakeFirst();
  return row?.sealed_letters ?? undefined;
}
