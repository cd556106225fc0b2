import { findDecline } from '#database/calls';
import type { Database } from '#database/connection';

/** What the provider said when it declined the latest call of a subject; nothing if no such call is recorded. */
export async function declineOf(
  db: Database,
  subjectId: string,
): Promise<{ readonly providerCode?: string; readonly providerDebugId?: string }> {
  const decline = await findDecline(db, subjectId);
  return {
    ...(decline?.code && { providerCode: decline.code }),
    ...(decline?.debugId && { providerDebugId: decline.debugId }),
  };
}
