import { z } from 'zod';
import { jsonVariable } from './environment.js';

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens');

const providerApplicationSchema = z.strictObject({
  environment: z.enum(['sandbox', 'live']),
  application: name,
  baseUrl: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Unguessable segment of the webhook address that the engine registers. */
  webhookSecret: z.string().min(24, 'must have at least 24 characters'),
  webhookAuthentication: z.enum(['signature', 'addressSecret']),
});

/** An application at the provider, in one environment: what a run's names stand for. */
export type ProviderApplication = z.output<typeof providerApplicationSchema>;

/** `k1:<base64>,k0:<base64>`: the first key encrypts, all of them decrypt. */
const codecKeys = z.string({ error: 'is required' }).transform((text, context) => {
  const keys: Map<string, Buffer> = new Map();
  for (const part of text.split(',')) {
    const [id = '', encoded = ''] = part.split(':', 2);
    const key = Buffer.from(encoded, 'base64');
    if (id === '' || key.length !== 32) {
      context.addIssue({ code: 'custom', message: 'must be <id>:<base64 of 32 bytes>, comma-separated' });
      return z.NEVER;
    }
    keys.set(id, key);
  }
  return { current: [...keys.keys()][0] ?? '', keys: keys as ReadonlyMap<string, Buffer> };
});

const milliseconds = (fallback: number) => z.coerce.number().int().positive().default(fallback);

/** Variables that API and worker share. */
export const engineEnvironment = z.object({
  DATABASE_URL: z
    .string({ error: 'is required' })
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('payments'),
  PROVIDER_APPLICATIONS: jsonVariable(z.array(providerApplicationSchema).min(1)),
  CODEC_KEYS: codecKeys,
  PUBLIC_URL: z.url({ error: 'must be the origin under which payers and the provider reach the API' }),
  /** Longer than the provider may execute late plus its reads may lag (docs/decisions/0005). */
  OUTCOME_HORIZON_MS: milliseconds(120_000),
});

export type EngineEnvironment = z.output<typeof engineEnvironment>;

export const portVariable = (fallback: number) =>
  z.coerce.number().int().min(0).max(65_535).default(fallback);
export { milliseconds };
