import type { ApplicationSettings } from '../applications/application-settings.js';
import type { AuthorizationRow } from '../database/tables.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

export type AuthorizationOutcome = Pick<AuthorizationRow, 'settles_at' | 'settles_as'> & {
  state: 'authorized' | 'pending';
};

type Settings = Pick<ApplicationSettings, 'authorizationOutcome' | 'authorizationSettleMs'>;

/** A fault decides about this authorization, the application's settings about the others. */
export function decideAuthorizationOutcome(
  settings: Settings,
  fault: UnitOfWork['outcome'],
  now: Date,
): AuthorizationOutcome {
  const pending = (afterMs: number, settles_as: 'authorized' | 'denied') =>
    ({ state: 'pending', settles_at: new Date(now.getTime() + afterMs), settles_as }) as const;
  if (fault?.kind === 'pending') {
    return pending(fault.afterMs, fault.settlesAs === 'completed' ? 'authorized' : 'denied');
  }
  const { authorizationOutcome, authorizationSettleMs } = settings;
  if (authorizationOutcome === 'authorized') {
    return { state: 'authorized', settles_at: null, settles_as: null };
  }
  return pending(
    authorizationSettleMs,
    authorizationOutcome === 'pending_then_authorized' ? 'authorized' : 'denied',
  );
}
