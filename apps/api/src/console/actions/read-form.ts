import type { z } from 'zod';
import type { AskedAction, ReadAction } from './action.js';

/**
 * Reads a form by the schema of the API's own request.
 *
 * @param fields the field of the form that a member of the request comes from, where they differ.
 */
export function readForm<Request>(
  schema: z.ZodType<Request>,
  body: unknown,
  ask: (request: Request) => AskedAction,
  fields: Readonly<Record<string, string>> = {},
): ReadAction {
  const { success, data, error } = schema.safeParse(body);
  if (success) return { asked: ask(data) };
  const issues = error.issues.map(({ path, message }) => {
    const member = String(path[0] ?? '');
    return [fields[member] ?? member, message] as const;
  });
  return { issues: Object.fromEntries(issues) };
}

/** An amount that may be left open. */
export function amountIn(entered: string | undefined, currency: string) {
  const value = entered?.trim() ?? '';
  return value === '' ? {} : { amount: { value, currency } };
}
