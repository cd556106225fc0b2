import type { Child } from 'hono/jsx';

export type Tone = 'good' | 'caution' | 'bad' | 'plain';

/** Read out when the page opens: errors at once, other notices when there is time. */
export function Notice({ tone, children }: { tone: Tone; children?: Child }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export function Badge({ tone, children }: { tone: Tone; children?: Child }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** An instant in UTC, to the second. */
export function Instant({ at }: { at: Date | number }) {
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{iso.slice(0, 19).replace('T', ' ')}</time>;
}

export interface Fact {
  readonly name: string;
  readonly value: Child;
}

/** Facts without a value are left out. */
export function Facts({ facts }: { facts: readonly (Fact | undefined)[] }) {
  return (
    <dl>
      {facts
        .filter((fact) => fact !== undefined)
        .map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Child;
  readonly isNumber?: boolean;
}

/** On a narrow screen each row becomes a card. The first column names the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  none,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  none: string;
}) {
  if (rows.length === 0) return <p class="muted">{none}</p>;
  return (
    <table class="cards">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ name, cell, isNumber }, at) =>
              at === 0 ? (
                <th scope="row">{cell(row)}</th>
              ) : (
                <td data-label={name} {...(isNumber && { class: 'number' })}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The way to the next page of a list. */
export function Pages({
  next,
  isFirst,
  first,
  words = { first: 'Newest', next: 'Older' },
}: {
  next: string | undefined;
  isFirst: boolean;
  first: string;
  /** Default: those of a list whose newest entry comes first. */
  words?: { readonly first: string; readonly next: string };
}) {
  if (isFirst && next === undefined) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {!isFirst && <a href={first}>{words.first}</a>}
      {next !== undefined && (
        <a href={next} rel="next">
          {words.next}
        </a>
      )}
    </nav>
  );
}
