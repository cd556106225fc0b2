import { setImmediate as giveWay } from 'node:timers/promises';
import { z } from 'zod';

/** Entries of a long list that are worked on before other callers have their turn: a few milliseconds. */
const sliceLength = 250;

/** Slices of a list, with the place of their first entry; between two of them everything that is due goes on. */
export async function* slicesOf<T>(
  list: readonly T[],
): AsyncGenerator<{ readonly start: number; readonly slice: T[] }> {
  for (let start = 0; start < list.length; start += sliceLength) {
    if (start > 0) await giveWay();
    yield { start, slice: list.slice(start, start + sliceLength) };
  }
}

export function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > sliceLength;
}

type Validation = z.core.$ZodStandardSchema<unknown>['validate'];

const validations = new WeakMap<object, Validation>();

/** How documents of this schema are read. */
export function validationOf(schema: {
  readonly '~standard': { readonly validate: Validation };
}): Validation {
  return validations.get(schema) ?? schema['~standard'].validate;
}

/**
 * Has a long list in documents of a schema read in slices, so that nobody waits for the whole of it.
 *
 * @param list name of the list; what its entries are, one by one, is `entry`.
 * @param whole the same schema, of entries that have been read.
 */
export function readInSlices<Schema extends z.ZodObject>(
  schema: Schema,
  { list, entry, whole }: { readonly list: string; readonly entry: z.ZodType; readonly whole: z.ZodType },
): Schema {
  const entries = z.array(entry);
  validations.set(schema, async (input) => {
    const document = input as Readonly<Record<string, unknown>> | null | undefined;
    const unread = document?.[list];
    if (!isLongList(unread)) return schema['~standard'].validate(input);
    const read: unknown[] = [];
    const issues: z.core.$ZodIssue[] = [];
    for await (const { start, slice } of slicesOf(unread)) {
      const { success, data, error } = entries.safeParse(slice);
      if (success) read.push(...data);
      else
        issues.push(...error.issues.map((issue) => ({ ...issue, path: [list, ...from(start, issue.path)] })));
    }
    if (issues.length > 0) return { issues };
    return whole['~standard'].validate({ ...document, [list]: read });
  });
  return schema;
}

/** A path in a slice, in the list. */
function from(start: number, [index, ...rest]: readonly PropertyKey[]): PropertyKey[] {
  return [start + Number(index), ...rest];
}
