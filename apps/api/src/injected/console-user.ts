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

/** An OpenID Connect provider that says who somebody is, and in which groups. */
export interface ConsoleIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the sign-in page calls it. */
  readonly name: string;
  /** Space-separated; `openid` among them. */
  readonly scope: string;
  /** The claim of the ID token that is the user's name. */
  readonly nameClaim: string;
  /** The claim of the ID token with the user's groups: a list, or one text. */
  readonly groupsClaim: string;
  /** By role, the groups that have it; of several roles the highest counts. */
  readonly groups: { readonly [role in Role]?: readonly string[] | undefined };
}
