import type { Owner } from '#database/schema';
import type { Caller } from '../../auth/api-keys.js';
import type { Operator } from '../../injected/console-user.js';

/** Who acts, in the audit trail. */
export function by({ name, role }: Operator) {
  return { userName: name, role };
}

/** The operator as a caller of the API's services. */
export function callerOf(operator: Operator, { environment, application }: Owner): Caller {
  const requestedBy = requesterOf(operator);
  return { keyId: requestedBy, environment, application, requestedBy };
}

/** The operator's name in rows of commands. */
export function requesterOf({ name }: Operator): string {
  return `console:${name}`;
}
