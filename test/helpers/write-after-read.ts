import type { Database } from '#database/connection';

/** The database for a reader, and a write that another connection commits right after the reader's nth statement. */
export function writeAfterRead(db: Database, nth: number, write: () => Promise<unknown>): Database {
  let statements = 0;
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      if (statements === nth) await write();
      return result;
    },
  });
}
