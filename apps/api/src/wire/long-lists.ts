import { setImmediate as giveWay } from 'node:timers/promises';
import { z } from 'zod';

/** The number of entries to process before other requests get a turn: usually a few milliseconds of work. */
const sliceLength = 250;
/** A slice that takes longer makes the next one shorter: texts of digits take fifty times as long as others. */
const turnMs = 10;
const firstSliceLength = 50;

/** Slices of a list, with the index of their first entry. Between two slices the event loop runs. */
export async function* slicesOf<T>(
  list: readonly T[],
): AsyncGenerator<{ readonly start: number; readonly slice: T[] }> {
  let length = firstSliceLength;
  for (let start = 0; start < list.length;) {
    if (start > 0) await giveWay();
    const slice = list.slice(start, start + length);
    const begunAt = performance.now();
    yield { start, slice };
    const fitting = (slice.length * turnMs) / Math.max(performance.now() - begunAt, 0.01);
    length = Math.min(sliceLength, Math.max(1, Math.floor(fitting)));
    start += slice.length;
  }
}

export function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > sliceLength;
}

type Validation = z.core.$ZodStandardSchema<unknown>['validate'];

const validations = new WeakMap<object, Validation>();

/** The validation function of a schema. */
export function validationOf(schema: {
  readonly '~standard': { readonly validate: Validation };
}): Validation {
  return validations.get(schema) ?? schema['~standard'].validate;
}

/**
 * Validates a long list in documents of a schema in slices, so that other requests do not wait for all of it.
 *
 * @param list name of the list; `entry` is the schema of one entry.
 * @param whole the same schema, for entries that are already parsed.
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

/** Converts a path in a slice into a path in the list. */
function from(start: number, [index, ...rest]: readonly PropertyKey[]): PropertyKey[] {
  return [start + Number(index), ...rest];
}
