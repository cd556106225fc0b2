import type { z } from 'zod';
import { pageOf } from '../../wire/pages.js';
import { type FilterField, Filters, olderAddress, readFilter, textsIn } from './filters.js';
import type { Entered, Issues } from './form.js';
import { type Column, Pages, Table } from './parts.js';

const onePage = 50;

/** What was entered into the filters of a list, and the page that they find: nothing if one of them is wrong. */
export interface FoundPage<Row> {
  readonly status: 200 | 422;
  readonly entered: Entered;
  readonly issues: Issues;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** @param find gets the row number before which the page begins, and the number of rows to read. */
export async function findPage<Filter extends { readonly cursor?: number | undefined }, Row>(
  schema: z.ZodType<Filter>,
  query: unknown,
  find: (
    filter: Filter,
    page: { readonly before: number | undefined; readonly limit: number },
  ) => Promise<readonly Row[]>,
): Promise<FoundPage<Row>> {
  const entered = textsIn(query);
  const { filter, issues } = readFilter(schema, entered);
  if (!filter) return { status: 422, entered, issues, rows: [], hasMore: false };
  const page = await pageOf({ cursor: filter.cursor, limit: onePage }, (before, limit) =>
    find(filter, { before, limit }),
  );
  return { status: 200, entered, issues, ...page };
}

/** A list by row number, the latest first, with its filters above and the way to older rows below. */
export function FilteredList<Row>({
  address,
  keyOf,
  fields,
  found: { entered, issues, rows, hasMore },
  caption,
  none,
  columns,
}: {
  address: string;
  /** The number of a row. */
  keyOf: (row: Row) => number;
  fields: readonly FilterField[];
  found: FoundPage<Row>;
  caption: string;
  none: string;
  columns: readonly Column<Row>[];
}) {
  const last = rows.at(-1);
  return (
    <>
      <Filters address={address} fields={fields} entered={entered} issues={issues} />
      <Table caption={caption} none={none} rows={rows} columns={columns} />
      <Pages
        first={address}
        isFirst={entered['cursor'] === undefined}
        next={hasMore && last ? olderAddress(address, entered, keyOf(last)) : undefined}
      />
    </>
  );
}
