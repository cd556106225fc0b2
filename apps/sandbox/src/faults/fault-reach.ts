import { isClockOperation, traitsOf, type ClockOperation, type Operation } from '../http/operations.js';
import { isDeliveryFault, isOutcomeFault, type FaultKind } from './fault-kinds.js';

/**
 * Whether a fault of this kind makes any difference to the operation. One that is meant for every operation (`*`) passes
 * over the others, so that it is not used up by calls that it leaves as they are.
 */
export function canStrike(kind: FaultKind, operation: Operation | ClockOperation): boolean {
  if (isDeliveryFault(kind)) return false;
  if (isClockOperation(operation)) return isOutcomeFault(kind);
  const { movesMoney, requestId, reads } = traitsOf(operation);
  switch (kind.kind) {
    case 'decline':
    case 'pending':
      return movesMoney === true;
    case 'poison':
      return requestId !== undefined;
    case 'stale_read':
      return reads === true;
    default:
      return true;
  }
}
