import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Failure } from './failure.js';

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

/** @throws Failure that shows the usage. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** @throws Failure that names the option. */
export function countIn<Name extends string>(
  values: { readonly [name in Name]?: string | undefined },
  name: Name,
  fallback: number,
  { least = 1, most = 9_999_999 } = {},
): number {
  const given = values[name] ?? String(fallback);
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= least && value <= most) return value;
  throw new Failure(`--${name} must be a whole number from ${least} to ${most}, not "${given}".`);
}
