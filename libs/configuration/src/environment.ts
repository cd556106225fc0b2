import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Raised at start when the environment does not hold a usable configuration; names each bad variable. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads typed configuration from environment variables.
 *
 * @throws {ConfigurationError} naming every missing or malformed variable, never a value: it may be a secret.
 */
export function readEnvironment<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const { values, unusable } = withFiles(withoutEmpty(env));
  const result = schema.safeParse(values);
  if (result.success && unusable.size === 0) return result.data;
  const problems = (result.error?.issues ?? [])
    .filter(({ path }) => !unusable.has(String(path[0])))
    .map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new ConfigurationError(
    `The configuration is not usable:\n${[...unusable.values(), ...problems].join('\n')}`,
  );
}

/** What holds secrets can be in a file, as orchestrators mount them: `<NAME>_FILE` is its path. */
export const secretVariables = [
  'DATABASE_URL',
  'PROVIDER_APPLICATIONS',
  'CODEC_KEYS',
  'API_KEYS',
  'CONSOLE_USERS',
  'CONSOLE_OIDC',
  'TEMPORAL_API_KEY',
];

/** @returns `unusable`: by the variable, the line that says why its file was not taken. */
function withFiles(env: NodeJS.ProcessEnv) {
  const values = { ...env };
  const unusable = new Map<string, string>();
  for (const name of secretVariables) {
    const file = env[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      if (env[name] === undefined) values[name] = readFileSync(file, 'utf8').trim();
      else unusable.set(name, `  ${name} and ${name}_FILE: only one of them may be set`);
    } catch {
      unusable.set(name, `  ${name}_FILE: the file cannot be read`);
    }
  }
  return { values, unusable };
}

/** Compose files and shells pass an unset variable as an empty one; "" must not become port 0 or an empty host. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** A variable that holds a JSON document of the given shape. */
export function jsonVariable<S extends z.ZodType>(schema: S) {
  return z
    .string({ error: 'is required' })
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
