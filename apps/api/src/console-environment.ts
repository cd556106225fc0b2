import { z } from 'zod';
import { type Disagreement, httpAddress, jsonVariable, repeated } from '#configuration';
import { roles } from './injected/console-user.js';
import { isPasswordHash } from './sign-in/password.js';

const consoleUser = z.strictObject({
  name: z.string().regex(/^[\w.@-]{1,64}$/, 'must be 1 to 64 letters, digits and . _ @ -'),
  role: z.enum(roles).describe('`viewer` reads; `operator` also acts; `admin` also sees the audit trail'),
  password: z
    .string()
    .refine(isPasswordHash, 'must be a hash that npm run console:password has printed')
    .describe('What `npm run console:password` prints for the password'),
});

const group = z.string().min(1);
const groups = z.array(group).min(1, 'must name a group').optional();

const identityProvider = z.strictObject({
  // As it stands: a slash at the end belongs to the issuer's name.
  issuer: z
    .string()
    .refine(
      (address) => httpAddress.safeParse(address).success && isPrivate(new URL(address)),
      'must be an https address without credentials, query and fragment',
    )
    .describe('Address of the issuer; its `/.well-known/openid-configuration` says the rest'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  name: z.string().min(1).max(64).default('OpenID Connect').describe('What the sign-in page calls it'),
  scope: z
    .string()
    .regex(/(?:^| )openid(?: |$)/, 'must contain openid')
    .default('openid profile')
    .describe('Scopes that are asked for, space-separated'),
  nameClaim: z
    .string()
    .min(1)
    .default('preferred_username')
    .describe('Claim of the ID token with the user’s name'),
  groupsClaim: z.string().min(1).default('groups').describe('Claim of the ID token with the user’s groups'),
  groups: z
    .strictObject({ viewer: groups, operator: groups, admin: groups })
    .refine((named) => Object.values(named).some(Boolean), 'must name a group')
    .describe('By role, the groups that have it; who is in none cannot sign in'),
});

/** Variables of the console's sign-in. */
export const consoleVariables = {
  CONSOLE_USERS: jsonVariable(z.array(consoleUser))
    .default([])
    .describe(
      'JSON list of the people who may sign in to `/console`; needs https in `PUBLIC_URL`, except on loopback',
    ),
  CONSOLE_OIDC: jsonVariable(identityProvider)
    .optional()
    .describe(
      'JSON of an OpenID Connect provider through which people may sign in to `/console` ([console](console.md#sign-in))',
    ),
};

interface Read {
  readonly CONSOLE_USERS?: readonly z.output<typeof consoleUser>[] | undefined;
  readonly CONSOLE_OIDC?: unknown;
  readonly PUBLIC_URL?: string | undefined;
}

/** The session's cookie is kept only where nobody between browser and API can read it. */
export function consoleDisagreements({
  CONSOLE_USERS: users = [],
  CONSOLE_OIDC: provider,
  PUBLIC_URL: address,
}: Read): Disagreement[] {
  const repeatedNames = repeated(
    users,
    ({ name }) => name,
    ['CONSOLE_USERS', 'name'],
    'names another user already',
  );
  if (address === undefined || isPrivate(new URL(address))) return repeatedNames;
  const message = 'needs https in PUBLIC_URL';
  return [
    ...repeatedNames,
    ...(users.length > 0 ? [{ path: ['CONSOLE_USERS'], message }] : []),
    ...(provider ? [{ path: ['CONSOLE_OIDC'], message }] : []),
  ];
}

function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
