import { isIP } from 'node:net';
import { z } from 'zod';
import {
  httpAddress,
  type Disagreement,
  agreeing,
  codecKeysOf,
  engineDisagreements,
  nameOf,
  repeated,
  servingEnvironment,
  uiDisagreements,
  milliseconds,
  portVariable,
  jsonVariable,
  metricsPort,
  temporalSecurityOf,
  tracingOf,
} from '#configuration';
import { consoleDisagreements, consoleVariables } from './console-environment.js';
import type { ApiConfig } from './injected/api-config.js';
import { scopes } from './injected/scope.js';
import { usualLimits } from './server/caller-limits.js';
import { usualRates } from './server/rate-limits.js';

const apiKey = z.strictObject({
  id: z.string().min(1).max(64),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the hex SHA-256 of the key')
    .describe('Hex SHA-256 of the key'),
  environment: z.string(),
  application: z.string(),
  scopes: z
    .array(z.enum(scopes))
    .min(1, 'must name a scope')
    .optional()
    .describe('Any of `read`, `order`, `decide`; default: all ([API](api.md#scopes))'),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'must be an instant such as 2027-01-31T00:00:00Z' })
    .optional()
    .describe('From this instant on the key is refused'),
});

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  // One of all addresses would let each caller choose its name.
  const most = family === 4 ? 32 : 128;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most);
}

const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);

const variables = servingEnvironment.extend({
  PORT: portVariable(3000).describe('Port of the API; 0 means any free port'),
  HOST: z.string().default('127.0.0.1').describe('Address on which the API listens'),
  METRICS_PORT: metricsPort,
  TRUSTED_PROXIES: z
    .string()
    .refine((list) => list.split(',').every(isNetwork), 'must be addresses or networks, comma-separated')
    .optional()
    .describe(
      'Addresses or networks (CIDR) of proxies in front of the API, comma-separated: their `X-Forwarded-For` names the caller',
    ),
  API_KEYS: jsonVariable(z.array(apiKey).min(1, 'must hold a key')).describe(
    'JSON list of the API keys, each once and of a configured application',
  ),
  TEMPORAL_UI_URL: httpAddress
    .optional()
    .describe(
      'Origin of Temporal’s UI, on the site of `PUBLIC_URL` and equally http or https: for links to runs; only its pages may read `/codec`',
    ),
  ANSWER_WITHIN_MS: milliseconds(10_000).describe(
    'How long a request waits for its outcome before it answers 202',
  ),
  PAYER_WAIT_MS: milliseconds(8_000).describe('How long the payer’s browser waits before it is redirected'),
  FIRST_POLL_MS: milliseconds(30_000).describe(
    'Time until a waiting payment first polls the provider; each payment keeps its value; at most `LONGEST_POLL_MS`',
  ),
  LONGEST_POLL_MS: milliseconds(3_600_000).describe(
    'Longest time between two polls; each payment keeps its value',
  ),
  MAX_REQUESTS_PER_KEY: count(usualLimits.requests).describe(
    'Most requests of one API key at a time; more are answered 429 with `Retry-After`',
  ),
  MAX_LISTS_PER_KEY: count(usualLimits.lists).describe('Most of them for lists, timelines and reviews'),
  MAX_WAITS_PER_KEY: count(usualLimits.waits).describe('Most of them that wait for a change'),
  MAX_REFUSALS_PER_SECOND: count(usualLimits.refusals).describe(
    'Most answers of 400 to 499, without 402, 409 and 412, to one API key in a second; more are sent a second later. The same for each address without a key',
  ),
  MAX_REQUESTS_PER_KEY_AND_MINUTE: count(usualRates.requestsPerKey).describe(
    'Most requests of one API key in a minute; each process counts for itself, and answers more with 429, like the next three',
  ),
  MAX_REQUESTS_PER_ADDRESS_AND_MINUTE: count(usualRates.requestsPerAddress).describe(
    'Most requests without an API key (payers, console, documentation, codec) from one address in a minute. Deliveries to the right address of a webhook never count',
  ),
  MAX_FAILURES_PER_ADDRESS_AND_MINUTE: count(usualRates.failuresPerAddress).describe(
    'Most requests with a wrong or without a needed key, or to a wrong address of a webhook, from one address in a minute',
  ),
  MAX_SIGN_INS_PER_ADDRESS_AND_MINUTE: count(usualRates.signInsPerAddress).describe(
    'Most tries to sign in to the console from one address in a minute. Those of one user are slowed down besides',
  ),
  MAX_CONNECTIONS: count(10_000).describe('Most connections of callers at a time; more are closed at once'),
  NOTIFICATION_ADDRESSES: z
    .enum(['public', 'any'])
    .default('public')
    .describe(
      'Where notifications may be sent: to public https addresses, or (`any`, for development) also to http and to the own network',
    ),
  ...consoleVariables,
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
});

/** Variables of the API process. */
export const apiEnvironment = agreeing(variables, (read) => [
  ...engineDisagreements(read),
  ...keyDisagreements(read),
  ...uiDisagreements(read),
  ...pollDisagreements(read),
  ...addressDisagreements(read),
  ...consoleDisagreements(read),
]);

type Read = Partial<z.output<typeof variables>>;

function keyDisagreements({
  API_KEYS: keys = [],
  PROVIDER_APPLICATIONS: applications,
}: Read): Disagreement[] {
  const known = applications && new Set(applications.map(nameOf));
  return [
    ...repeated(keys, ({ id }) => id, ['API_KEYS', 'id'], 'names another key already'),
    // Otherwise it would be unclear which of the two asked.
    ...repeated(keys, ({ sha256 }) => sha256, ['API_KEYS', 'sha256'], 'is the key of another entry'),
    ...keys.flatMap((key, at) =>
      known === undefined || known.has(nameOf(key))
        ? []
        : [{ path: ['API_KEYS', at, 'application'], message: 'is not in PROVIDER_APPLICATIONS' }],
    ),
  ];
}

function pollDisagreements({ FIRST_POLL_MS: first, LONGEST_POLL_MS: longest }: Read): Disagreement[] {
  if (first === undefined || longest === undefined || first <= longest) return [];
  return [{ path: ['FIRST_POLL_MS'], message: 'must be at most LONGEST_POLL_MS' }];
}

function addressDisagreements({
  NOTIFICATION_ADDRESSES: allowed,
  PROVIDER_APPLICATIONS: applications = [],
}: Read): Disagreement[] {
  const isLive = applications.some(({ environment }) => environment === 'live');
  if (!isLive || allowed !== 'any') return [];
  return [{ path: ['NOTIFICATION_ADDRESSES'], message: 'must be public: an application is live' }];
}

export function apiConfigOf(env: z.output<typeof apiEnvironment>): ApiConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    trustedProxies: env.TRUSTED_PROXIES,
    databaseUrl: env.DATABASE_URL,
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      security: temporalSecurityOf(env),
      taskQueue: env.TEMPORAL_TASK_QUEUE,
      deadlineMs: env.TEMPORAL_DEADLINE_MS,
      ...(env.TEMPORAL_UI_URL !== undefined && { uiUrl: env.TEMPORAL_UI_URL }),
    },
    applications: env.PROVIDER_APPLICATIONS,
    apiKeys: env.API_KEYS,
    codecKeys: codecKeysOf(env),
    patience: {
      outcomeHorizonMs: env.OUTCOME_HORIZON_MS,
      firstLookMs: 500,
      firstRetryMs: 500,
      firstPollMs: env.FIRST_POLL_MS,
      longestPollMs: env.LONGEST_POLL_MS,
      maxAttempts: 6,
      // A person is asked if reads fail during the horizon and four times as long after it.
      reviewAfterMs: 5 * env.OUTCOME_HORIZON_MS,
    },
    answerWithinMs: env.ANSWER_WITHIN_MS,
    payerWaitMs: env.PAYER_WAIT_MS,
    callerLimits: {
      requests: env.MAX_REQUESTS_PER_KEY,
      lists: env.MAX_LISTS_PER_KEY,
      waits: env.MAX_WAITS_PER_KEY,
      refusals: env.MAX_REFUSALS_PER_SECOND,
    },
    rateLimits: {
      requestsPerKey: env.MAX_REQUESTS_PER_KEY_AND_MINUTE,
      requestsPerAddress: env.MAX_REQUESTS_PER_ADDRESS_AND_MINUTE,
      failuresPerAddress: env.MAX_FAILURES_PER_ADDRESS_AND_MINUTE,
      signInsPerAddress: env.MAX_SIGN_INS_PER_ADDRESS_AND_MINUTE,
    },
    maxConnections: env.MAX_CONNECTIONS,
    notifications: { allowsAnyAddress: env.NOTIFICATION_ADDRESSES === 'any' },
    consoleUsers: env.CONSOLE_USERS,
    consoleIdentityProvider: env.CONSOLE_OIDC,
    logLevel: env.LOG_LEVEL,
    tracing: tracingOf(env, 'api'),
    ...(env.METRICS_PORT !== undefined && { metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT } }),
  };
}
