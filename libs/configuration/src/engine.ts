import { z } from 'zod';
import { httpAddress } from './addresses.js';
import { jsonVariable } from './environment.js';
import { tracingVariables } from './tracing.js';
import { temporalSecurity } from './temporal.js';

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens');

/** Whether a text, as it stands at the end of an address, is its last segment: that of a delivery is compared with it. */
function isSegment(text: string): boolean {
  try {
    const { pathname } = new URL(`http://host/${text}`);
    return !text.includes('/') && decodeURIComponent(pathname) === `/${text}`;
  } catch {
    return false;
  }
}

const providerApplicationSchema = z.strictObject({
  environment: z.enum(['sandbox', 'live']),
  application: name,
  baseUrl: httpAddress.describe('Origin of the provider; must be https in the environment live'),
  providerAddresses: z
    .enum(['public', 'any'])
    .optional()
    .describe(
      'Where a public name in `baseUrl` may lead: to public addresses (default), or (`any`, for a gateway) also into the own network',
    ),
  clientId: z.string().min(1).describe('For the worker; the API needs none'),
  clientSecret: z.string().min(1).describe('For the worker; the API needs none and forgets one'),
  webhookSecret: z
    .string()
    .min(24, 'must have at least 24 characters')
    .max(512, 'must have at most 512 characters')
    .refine(isSegment, 'must be without characters that divide or encode an address, such as / ? # and %')
    .describe('Unguessable segment of the webhook address that the engine registers'),
  webhookAuthentication: z
    .enum(['signature', 'addressSecret'])
    .describe('`addressSecret` where the provider does not sign its webhooks'),
  policies: z
    .strictObject({
      capture: z.enum(['manual', 'automatic']).optional(),
      honour: z
        .strictObject({
          action: z.enum(['warn', 'capture', 'none']).optional(),
          reauthorize: z.enum(['none', 'once', 'as_allowed']).optional(),
        })
        .optional(),
      expiry: z.enum(['void', 'capture', 'expire']).optional(),
    })
    .optional()
    .describe('Policies for orders without their own'),
});

/** The configuration of an application at the provider in one environment. */
export type ProviderApplication = z.output<typeof providerApplicationSchema>;

/** The same for a process that never calls the provider. */
const servedApplicationSchema = providerApplicationSchema
  .partial({ clientId: true, clientSecret: true })
  .transform(({ clientSecret: _secret, ...served }) => served);

export type ServedApplication = z.output<typeof servedApplicationSchema>;

const applicationsOf = <S extends z.ZodType>(schema: S) =>
  jsonVariable(z.array(schema).min(1, 'must name an application')).describe(
    'JSON list of the applications at the provider, each in one environment',
  );

/** `k1:<base64>,k0:<base64>`: the first key encrypts, all of them decrypt. */
const codecKeys = z.string({ error: 'is required' }).transform((text, context) => {
  const keys = text.split(',').map(readCodecKey);
  const readable = keys.filter((key) => key !== undefined);
  const byId: ReadonlyMap<string, Buffer> = new Map(readable.map(({ id, key }) => [id, key]));
  const [first] = readable;
  // With two keys under one id, data encrypted with the other key could not be read.
  if (!first || byId.size < keys.length) {
    context.addIssue({
      code: 'custom',
      message:
        'must be <id>:<base64 of 32 bytes>, comma-separated, each id once and of at most 255 characters',
    });
    return z.NEVER;
  }
  return { current: first.id, keys: byId };
});

function readCodecKey(text: string): { readonly id: string; readonly key: Buffer } | undefined {
  // What is sealed has the length of the id in one byte.
  const match = /^([\w-]{1,255}):([A-Za-z0-9+/]{43}=)$/.exec(text.trim());
  if (!match?.[1] || !match[2]) return undefined;
  return { id: match[1], key: Buffer.from(match[2], 'base64') };
}

export const milliseconds = (fallback: number, least = 1) =>
  z.coerce.number().int().min(least).max(longestTimerMs).default(fallback);

/** 24 days: Node fires longer timers immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** Variables that API and worker share. */
export const engineEnvironment = z.object({
  DATABASE_URL: z
    .string({ error: 'is required' })
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
    // An address of a socket may have a user and no host.
    .refine(
      (address) => URL.canParse(address.replace('@/', '@socket/')),
      'cannot be read: in a password write / as %2F, ? as %3F and # as %23',
    )
    .describe('PostgreSQL of the engine, whose schema `npm run migrate` has prepared'),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/@]+:\d{1,5}$/, 'must be <host>:<port>')
    .default('127.0.0.1:7233')
    .describe('Address of Temporal’s gRPC frontend, `<host>:<port>`'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Must be equal in API and worker'),
  ...temporalSecurity,
  TEMPORAL_TASK_QUEUE: z.string().default('payments').describe('Must be equal in API and worker'),
  TEMPORAL_DEADLINE_MS: milliseconds(3_000).describe(
    'Time limit of one call to Temporal; after it, Temporal counts as down',
  ),
  PROVIDER_APPLICATIONS: applicationsOf(providerApplicationSchema),
  CODEC_KEYS: codecKeys.describe(
    '`<id>:<base64 of 32 bytes>`, comma-separated: the first encrypts histories, all decrypt',
  ),
  CODEC_UNBOUND_PAYLOADS: z
    .enum(['accept', 'refuse'])
    .default('accept')
    .describe(
      'Encrypted payloads of versions that did not bind them to their run. `refuse` once no open run was begun by one: its history could not be read',
    ),
  CODEC_ENCODING: z
    .enum(['sealed/2', 'binary/sealed'])
    .default('sealed/2')
    .describe(
      'Of new payloads; both are always read. `binary/sealed` as long as a process of a release that knows only that may run: it takes the other one for forged',
    ),
  PUBLIC_URL: httpAddress.describe(
    'Origin at which payers, order services and the provider reach the API; must be https with a live application',
  ),
  OUTCOME_HORIZON_MS: milliseconds(120_000).describe(
    'Must be longer than the provider may execute late plus its reads may lag: after it, absence is proof. The API uses it; each payment keeps the value from its order',
  ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address at which the metrics are served; nobody but Prometheus should reach it'),
  ...tracingVariables,
});

/** The same for a process that never calls the provider, and gets no credentials of it. */
export const servingEnvironment = engineEnvironment.extend({
  PROVIDER_APPLICATIONS: applicationsOf(servedApplicationSchema),
});

/** The keys of the histories, what is read with them, and how new payloads are written. */
export function codecKeysOf({
  CODEC_KEYS,
  CODEC_UNBOUND_PAYLOADS,
  CODEC_ENCODING,
}: Pick<z.output<typeof engineEnvironment>, 'CODEC_KEYS' | 'CODEC_UNBOUND_PAYLOADS' | 'CODEC_ENCODING'>) {
  return {
    ...CODEC_KEYS,
    refusesUnbound: CODEC_UNBOUND_PAYLOADS === 'refuse',
    encoding: CODEC_ENCODING,
  };
}

const port = z.coerce.number().int().min(0).max(65_535);

export const portVariable = (fallback: number) => port.default(fallback);

export const metricsPort = port
  .optional()
  .describe('Port of `/metrics` for Prometheus; 0 means any free port. Unset: there are no metrics');
