import { simulated } from './database.js';

/** In the place of libs/database/src/subjects/payer-cancellation.ts. */
export async function hasPayerCancelled(db: unknown, _table: string, id: string): Promise<boolean> {
  return await simulated(db).run((rows) => rows.payerCancelled.has(id));
}
