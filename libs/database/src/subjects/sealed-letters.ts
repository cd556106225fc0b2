import type { Database } from '../connection/database.js';

/** What goes to persons with a payment or a payout, encrypted; undefined once the provider has it. */
export async function findSealedLetters(
  db: Database,
  table: 'payments' | 'payouts',
  id: string,
): Promise<Buffer | undefined> {
  const row = await db.selectFrom(table).select('sealed_letters').where('id', '=', id).executeTakeFirst();
  return row?.sealed_letters ?? undefined;
}
