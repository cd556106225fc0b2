import type { AuthorizationRow } from '../database/tables.js';
import type { ErrorName } from '../http/api-error.js';

/** The money side of an authorization, in minor units: held = captured + pending + released + open. */
export type Holding = Pick<
  AuthorizationRow,
  'state' | 'amount_minor' | 'captured_minor' | 'pending_minor' | 'released_minor' | 'closing' | 'valid_until'
>;

/** The holding after a decision, and how much of it is returned to the payer. */
export interface Change {
  holding: Holding;
  releasedMinor: number;
}

export interface Refused {
  refusal: ErrorName;
}

export interface CaptureTerms {
  minor: number;
  isFinal: boolean;
  /** The outcome is known later: until then the amount is only reserved. */
  isPending: boolean;
}

const CLOSED_STATES: ReadonlySet<Holding['state']> = new Set(['captured', 'denied', 'voided', 'expired']);

/** What can still be captured. */
export function openMinor(holding: Holding): number {
  return holding.amount_minor - holding.captured_minor - holding.pending_minor - holding.released_minor;
}

export function capture(holding: Holding, terms: CaptureTerms, now: Date): Change | Refused {
  // Nothing is held yet, or nothing will be.
  if (holding.state === 'pending' || holding.state === 'denied') return { refusal: 'PAYMENT_STATE_INVALID' };
  if (holding.state === 'voided') return { refusal: 'AUTHORIZATION_VOIDED' };
  if (holding.state === 'captured') return { refusal: 'AUTHORIZATION_ALREADY_COMPLETED' };
  // The sweep that marks it expired may run a moment after that instant.
  if (holding.state === 'expired' || holding.valid_until <= now) return { refusal: 'AUTHORIZATION_EXPIRED' };
  if (holding.closing || openMinor(holding) === 0) return { refusal: 'AUTHORIZATION_ALREADY_COMPLETED' };
  if (terms.minor > openMinor(holding)) return { refusal: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED' };
  if (terms.isPending) {
    const pending_minor = holding.pending_minor + terms.minor;
    return { holding: { ...holding, pending_minor, closing: terms.isFinal }, releasedMinor: 0 };
  }
  return afterCapture({ ...holding, captured_minor: holding.captured_minor + terms.minor }, terms.isFinal);
}

/** Releases what is open; what was captured stays captured, and what is pending can still complete. */
export function voidHolding(holding: Holding, now: Date): Change | Refused {
  if (holding.state === 'pending' || holding.state === 'denied') {
    return { refusal: 'AUTHORIZATION_CANNOT_BE_VOIDED' };
  }
  if (holding.state === 'voided') return { refusal: 'AUTHORIZATION_VOIDED' };
  if (holding.state === 'expired' || holding.valid_until <= now) return { refusal: 'AUTHORIZATION_EXPIRED' };
  if (holding.state === 'captured' || holding.closing || openMinor(holding) === 0) {
    return { refusal: 'AUTHORIZATION_CANNOT_BE_VOIDED' };
  }
  return close(holding, 'voided');
}

export function expire(holding: Holding, now: Date): Change | null {
  if (holding.state === 'pending' || isClosed(holding) || holding.valid_until > now) return null;
  return close(holding, 'expired');
}

/** Returns what is open and holds `minor` instead, under the same id. */
export function reauthorize(holding: Holding, minor: number): Change {
  const releasedMinor = openMinor(holding);
  const released_minor = holding.released_minor + releasedMinor;
  return {
    holding: { ...holding, amount_minor: holding.amount_minor + minor, released_minor },
    releasedMinor,
  };
}

/** Another authorization replaces this one; what is pending still ends here. */
export function replace(holding: Holding): Change {
  return close(holding, 'voided');
}

/** A pending capture ends. Denied money can be captured again, unless the authorization has closed meanwhile. */
export function finishCapture(
  holding: Holding,
  terms: CaptureTerms,
  outcome: 'completed' | 'denied',
): Change {
  const pending_minor = holding.pending_minor - terms.minor;
  if (outcome === 'completed') {
    const finished = { ...holding, pending_minor, captured_minor: holding.captured_minor + terms.minor };
    return isClosed(holding)
      ? { holding: finished, releasedMinor: 0 }
      : afterCapture(finished, terms.isFinal);
  }
  const denied = { ...holding, pending_minor, closing: holding.closing && !terms.isFinal };
  return isClosed(holding) ? close(denied, denied.state) : { holding: denied, releasedMinor: 0 };
}

function afterCapture(holding: Holding, isFinal: boolean): Change {
  const isComplete = isFinal || (openMinor(holding) === 0 && holding.pending_minor === 0);
  if (isComplete) return close(holding, 'captured');
  return { holding: { ...holding, state: 'partially_captured' }, releasedMinor: 0 };
}

function close(holding: Holding, state: Holding['state']): Change {
  const releasedMinor = openMinor(holding);
  const released_minor = holding.released_minor + releasedMinor;
  return { holding: { ...holding, state, released_minor, closing: false }, releasedMinor };
}

function isClosed(holding: Holding): boolean {
  return CLOSED_STATES.has(holding.state);
}
