import type { z } from 'zod';
import { isHttps } from './addresses.js';
import type { ProviderApplication } from './engine.js';

/** An application in its environment, as a key, a run or a row names it. */
export interface ApplicationName {
  readonly environment: string;
  readonly application: string;
}

/** What one variable says that does not agree with the others, or with itself. */
export interface Disagreement {
  readonly path: (string | number)[];
  readonly message: string;
}

/**
 * A schema of variables whose values are also held against each other. The comparison gets what could be read, also
 * when another variable is malformed: one error names every bad variable.
 */
export function agreeing<S extends z.ZodObject>(
  variables: S,
  disagreementsIn: (read: Partial<z.output<S>>) => readonly Disagreement[],
): S {
  return variables.superRefine(
    (read, context) => {
      const malformed = new Set(context.issues.map(({ path }) => path?.[0]));
      const readable = Object.entries(read).filter(([name]) => !malformed.has(name));
      for (const disagreement of disagreementsIn(Object.fromEntries(readable) as Partial<z.output<S>>)) {
        context.addIssue({ code: 'custom', ...disagreement });
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** What API and worker check alike. */
export function engineDisagreements({
  PROVIDER_APPLICATIONS: applications = [],
  PUBLIC_URL,
}: {
  readonly PROVIDER_APPLICATIONS?: readonly ProviderApplication[] | undefined;
  readonly PUBLIC_URL?: string | undefined;
}): Disagreement[] {
  const at = 'PROVIDER_APPLICATIONS';
  return [
    ...repeated(applications, nameOf, [at, 'application'], 'is configured in this environment already'),
    // Whoever is told the address of one could deliver to the other.
    ...repeated(applications, secretOf, [at, 'webhookSecret'], 'is that of another application'),
    // Each would take the other's events for its own.
    ...repeated(applications, accountOf, [at, 'clientId'], 'is that of another application'),
    ...applications.flatMap((application, index) =>
      addressOf(application, applications, [at, index, 'baseUrl']),
    ),
    ...publicAddress(applications, PUBLIC_URL),
  ];
}

const accountOf = ({ baseUrl, clientId }: ProviderApplication) => `${clientId} ${baseUrl}`;
const secretOf = ({ webhookSecret }: ProviderApplication) => webhookSecret;

/** @returns one for each entry whose value an earlier one has. */
export function repeated<Entry>(
  entries: readonly Entry[],
  valueOf: (entry: Entry) => string,
  [variable, field]: readonly [string, string],
  message: string,
): Disagreement[] {
  const values = entries.map(valueOf);
  return values.flatMap((value, at) =>
    values.indexOf(value) < at ? [{ path: [variable, at, field], message }] : [],
  );
}

export function nameOf({ environment, application }: ApplicationName): string {
  return `${environment}/${application}`;
}

/** Credentials and orders of real payments leave this machine encrypted, and no test order reaches a live service. */
function addressOf(
  { environment, baseUrl }: ProviderApplication,
  applications: readonly ProviderApplication[],
  path: Disagreement['path'],
): Disagreement[] {
  if (environment === 'live') {
    return isHttps(baseUrl) ? [] : [{ path, message: 'must be an https address: the application is live' }];
  }
  const isLiveToo = applications.some((other) => other.environment === 'live' && other.baseUrl === baseUrl);
  return isLiveToo ? [{ path, message: 'is the address of a live application' }] : [];
}

function publicAddress(applications: readonly ProviderApplication[], address?: string): Disagreement[] {
  const isLive = applications.some(({ environment }) => environment === 'live');
  if (!isLive || address === undefined || isHttps(address)) return [];
  return [{ path: ['PUBLIC_URL'], message: 'must be an https address: an application is live' }];
}
