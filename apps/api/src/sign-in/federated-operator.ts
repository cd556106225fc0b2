import { type ConsoleIdentityProvider, type Operator, roles } from '../injected/console-user.js';

/** The same as for the names of the configuration. */
const namePattern = /^[\w.@-]{1,64}$/;

/** Why a user of the identity provider may not use the console. */
export type NotAdmitted = 'no-name' | 'no-group';

/**
 * The user that an ID token names, with the highest role of the groups in it.
 *
 * @param claims of an ID token that was checked
 */
export function federatedOperator(
  claims: Readonly<Record<string, unknown>>,
  { nameClaim, groupsClaim, groups }: ConsoleIdentityProvider,
): Operator | NotAdmitted {
  const name = claims[nameClaim];
  if (typeof name !== 'string' || !namePattern.test(name)) return 'no-name';
  const own = new Set([claims[groupsClaim]].flat());
  const role = roles.findLast((each) => groups[each]?.some((group) => own.has(group)));
  return role ? { name, role } : 'no-group';
}
