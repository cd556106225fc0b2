import {
  CLOCK_OPERATIONS,
  isClockOperation,
  OPERATION_NAMES,
  traitsOf,
  type ClockOperation,
  type Operation,
} from '../http/operations.js';
import { isDeliveryFault, isOutcomeFault, type FaultKind } from './fault-kinds.js';

/**
 * Whether a fault of this kind makes a difference to the operation. A fault for every operation (`*`) ignores the
 * others, so that calls without an effect do not count as its uses.
 */
export function canStrike(kind: Pick<FaultKind, 'kind'>, operation: Operation | ClockOperation): boolean {
  if (isDeliveryFault(kind)) return false;
  if (isClockOperation(operation)) return isOutcomeFault(kind);
  const { canDecline, canPend, requestId, reads } = traitsOf(operation);
  switch (kind.kind) {
    case 'decline':
      return canDecline === true;
    case 'pending':
      return canPend !== undefined;
    case 'poison':
      return requestId !== undefined;
    case 'stale_read':
      return reads === true;
    default:
      return true;
  }
}

/** True if only the operation itself, inside its transaction, can know whether the fault applies to it. */
export function isDecidedInside(
  kind: Pick<FaultKind, 'kind'>,
  operation: Operation | ClockOperation,
): boolean {
  if (isClockOperation(operation)) return isOutcomeFault(kind);
  return kind.kind === 'pending' && traitsOf(operation).canPend === 'where_approved';
}

/** The operations that a fault of this kind may name. */
export function operationsWithin(kind: Pick<FaultKind, 'kind'>): (Operation | ClockOperation)[] {
  return [...OPERATION_NAMES, ...CLOCK_OPERATIONS].filter((operation) => canStrike(kind, operation));
}
