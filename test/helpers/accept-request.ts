import { acceptCommand } from '#database/commands';
import type { Database } from '#database/connection';
import { notePayerCancelled } from '#database/subjects';
import { isRequestType, requestKinds } from '#workflows/lifecycle';

/** Commits what stands behind a request, as the API does before it tells the run; anything else needs nothing. */
export async function acceptRequest(
  db: Database,
  subjectId: string,
  event: { readonly type: string; readonly commandId?: string },
): Promise<void> {
  const { type, commandId, ...parameters } = event;
  if (type === 'payerCancelled') await notePayerCancelled(db, 'payments', subjectId);
  if (!isRequestType(type) || commandId === undefined) return;
  await acceptCommand(db, {
    id: commandId,
    environment: 'sandbox',
    application: 'shop',
    idempotencyKey: commandId,
    bodyHash: '',
    kind: requestKinds[type],
    subjectId,
    parameters,
    requestedBy: 'test',
  });
}

/** For payouts that tests order directly, each under a reference of its own or none. */
export function nobodyBearsItsReference(): never {
  throw new Error('the reference is that of another payout');
}
