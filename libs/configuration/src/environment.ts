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
  const result = schema.safeParse(withoutEmpty(env));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new ConfigurationError(`The configuration is not usable:\n${problems.join('\n')}`);
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
