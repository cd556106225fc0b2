import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AuthorizationRow } from '../database/tables.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { pendingUntil } from '../completion/completion.js';

export type AuthorizationOutcome = Pick<AuthorizationRow, 'settles_at' | 'settles_as'> & {
  state: 'authorized' | 'pending';
};

type Settings = Pick<ApplicationSettings, 'authorizationOutcome' | 'authorizationSettleMs'>;

/** A fault decides about this authorization; otherwise the application's settings do. */
export function decideAuthorizationOutcome(
  settings: Settings,
  fault: UnitOfWork['fault'],
  now: Date,
): AuthorizationOutcome {
  if (fault?.kind === 'pending') {
    return pendingUntil(now, fault.afterMs, fault.settlesAs === 'completed' ? 'authorized' : 'denied');
  }
  const { authorizationOutcome, authorizationSettleMs } = settings;
  if (authorizationOutcome === 'authorized') {
    return { state: 'authorized', settles_at: null, settles_as: null };
  }
  return pendingUntil(
    now,
    authorizationSettleMs,
    authorizationOutcome === 'pending_then_authorized' ? 'authorized' : 'denied',
  );
}
