import type { z } from 'zod';
import { isHttps, mayBeSameSite } from './addresses.js';
import type { ServedApplication } from './engine.js';
import type { TemporalVariables } from './temporal.js';

/** The name of an application in its environment, as in a key, a run or a row. */
export interface ApplicationName {
  readonly environment: string;
  readonly application: string;
}

/** A variable whose value contradicts another variable or itself. */
export interface Disagreement {
  readonly path: (string | number)[];
  readonly message: string;
}

/**
 * A schema of variables whose values are also compared with each other. The comparison also runs if a variable is
 * malformed, with the others, so that one error names every bad variable.
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

/** The checks that API and worker share. */
export function engineDisagreements({
  PROVIDER_APPLICATIONS: applications = [],
  PUBLIC_URL,
  ...rest
}: TemporalVariables & {
  readonly PROVIDER_APPLICATIONS?: readonly ServedApplication[] | undefined;
  readonly PUBLIC_URL?: string | undefined;
}): Disagreement[] {
  const at = 'PROVIDER_APPLICATIONS';
  return [
    ...repeated(applications, nameOf, [at, 'application'], 'is configured in this environment already'),
    // Otherwise a person who knows the address of one could deliver to the other.
    ...repeated(applications, secretOf, [at, 'webhookSecret'], 'is that of another application'),
    // Otherwise each would treat the other's events as its own.
    ...repeated(applications, accountOf, [at, 'clientId'], 'is that of another application'),
    ...applications.flatMap((application, index) =>
      addressOf(application, applications, [at, index, 'baseUrl']),
    ),
    ...publicAddress(applications, PUBLIC_URL),
    ...temporalDisagreements(rest),
  ];
}

/** Unknown without the client’s id: then every application has one of its own. */
const accountOf = (application: ServedApplication) => {
  const { baseUrl, clientId } = application;
  return clientId === undefined ? nameOf(application) : `${clientId} ${baseUrl}`;
};
const secretOf = ({ webhookSecret }: ServedApplication) => webhookSecret;

/** @returns one disagreement for each entry with the value of an earlier entry. */
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

/**
 * Credentials and orders of real payments must leave this machine encrypted, and a test order must not reach a live
 * service.
 */
function addressOf(
  { environment, baseUrl }: ServedApplication,
  applications: readonly ServedApplication[],
  path: Disagreement['path'],
): Disagreement[] {
  if (environment === 'live') {
    return isHttps(baseUrl) ? [] : [{ path, message: 'must be an https address: the application is live' }];
  }
  const isLiveToo = applications.some((other) => other.environment === 'live' && other.baseUrl === baseUrl);
  return isLiveToo ? [{ path, message: 'is the address of a live application' }] : [];
}

/**
 * The cookie of a codec session is for the API's own site only: a UI elsewhere could sign in and would still be shown
 * nothing. With a live application both are https, because the API is.
 */
export function uiDisagreements({
  TEMPORAL_UI_URL: ui,
  PUBLIC_URL: api,
}: {
  readonly TEMPORAL_UI_URL?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}): Disagreement[] {
  if (ui === undefined || api === undefined || mayBeSameSite(ui, api)) return [];
  return [{ path: ['TEMPORAL_UI_URL'], message: 'must be on the site of PUBLIC_URL, and https if that is' }];
}

function publicAddress(applications: readonly ServedApplication[], address?: string): Disagreement[] {
  const isLive = applications.some(({ environment }) => environment === 'live');
  if (!isLive || address === undefined || isHttps(address)) return [];
  return [{ path: ['PUBLIC_URL'], message: 'must be an https address: an application is live' }];
}

const temporalFiles = [
  'TEMPORAL_TLS_SERVER_CA_CERT',
  'TEMPORAL_TLS_CLIENT_CERT',
  'TEMPORAL_TLS_CLIENT_KEY',
] as const;

/** Half a pair would be ignored, and the connection would have no certificate of ours. */
function temporalDisagreements(env: TemporalVariables): Disagreement[] {
  const isGiven = (part: (typeof temporalFiles)[number]): boolean =>
    env[`${part}_PATH`] !== undefined || env[`${part}_DATA`] !== undefined;
  const [, certificate, key] = temporalFiles;
  return [
    ...temporalFiles
      .filter((part) => env[`${part}_PATH`] !== undefined && env[`${part}_DATA`] !== undefined)
      .map((part) => ({ path: [`${part}_DATA`], message: `must not be set with ${part}_PATH` })),
    ...(isGiven(certificate) === isGiven(key)
      ? []
      : [
          { path: [isGiven(key) ? certificate : key], message: 'is missing: certificate and key are a pair' },
        ]),
  ];
}
