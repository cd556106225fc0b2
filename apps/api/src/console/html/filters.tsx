import { z } from 'zod';
import { type Entered, type Issues, type Option, SelectField, TextField } from './form.js';
import { numberCursor } from '../../wire/pages.js';

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'date';
  readonly options?: readonly Option[];
}

/** A form whose address is what it shows. */
export function Filters({
  address,
  fields,
  entered,
  issues,
}: {
  address: string;
  fields: readonly FilterField[];
  entered: Entered;
  issues: Issues;
}) {
  return (
    <form class="filters" method="get" action={address} aria-label="Filters">
      {fields.map(({ name, label, options, type }) =>
        options ? (
          <SelectField
            name={name}
            label={label}
            entered={entered}
            issues={issues}
            options={[{ value: '', label: 'any' }, ...options]}
          />
        ) : (
          <TextField name={name} label={label} entered={entered} issues={issues} {...(type && { type })} />
        ),
      )}
      <button type="submit" class="primary">
        Show
      </button>
      <a href={address}>Clear</a>
    </form>
  );
}

export type ReadFilter<Filter> =
  | { readonly filter: Filter; readonly issues: Issues }
  | { readonly filter: undefined; readonly issues: Issues };

/** Reads a filter. One that is wrong is named at its field and finds nothing. */
export function readFilter<Filter>(schema: z.ZodType<Filter>, entered: Entered): ReadFilter<Filter> {
  const given = Object.fromEntries(Object.entries(entered).filter(([, value]) => value.trim() !== ''));
  const { success, data, error } = schema.safeParse(given);
  if (success) return { filter: data, issues: {} };
  return {
    filter: undefined,
    issues: Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0] ?? ''), message])),
  };
}

/** A day in a filter, as its first instant. */
export const day = z.iso
  .date('must be a day such as 2030-01-31')
  .transform((text) => new Date(`${text}T00:00:00Z`));
/** The last day of a filter, as the first instant after it. */
export const lastDay = day.transform((first) => new Date(first.getTime() + 86_400_000));

/** A minute in UTC, as a field for dates and times sends it. */
export const minute = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be a time such as 2030-01-31T12:00')
  .transform((text) => new Date(`${text}Z`))
  .refine((at) => !Number.isNaN(at.getTime()), 'must be a time that exists');

export const cursor = z.string().transform((given, context): number => {
  const key = numberCursor.read(given);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: 'is not a page of this list' });
  return z.NEVER;
});

/** The texts of a query; of a name that comes twice, none. */
export function textsIn(query: unknown): Entered {
  const members = Object.entries(query as Readonly<Record<string, unknown>>);
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string')) as Entered;
}

/** The address of the next page. What the first one tells of a form that has led to it is not told again. */
export function olderAddress(address: string, { done: _told, ...entered }: Entered, last: number): string {
  return `${address}?${new URLSearchParams({ ...entered, cursor: numberCursor.write(last) }).toString()}`;
}
