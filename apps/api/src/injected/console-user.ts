/** What a user of the console may do; each role may do what the ones before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Somebody who is signed in to the console. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
}

/** @param needed the least role. */
export function mayAs({ role }: Operator, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Somebody who may sign in to the console. */
export interface ConsoleUser extends Operator {
  /** Its hash, as `hashPassword` makes it. */
  readonly password: string;
}
