import { html, type Html } from '../pages/html.js';

export interface Column<Row> {
  name: string;
  /** How its cells are formatted: digits, instants and short words unbroken; ids and long texts broken anywhere. */
  kind: 'number' | 'instant' | 'short' | 'id' | 'wide';
  cell: (row: Row) => string | Html;
}

/**
 * A table; in a narrow window each row is a card. Between the two it may have to scroll, with the keyboard, too.
 * The roles are written out, because browsers forget those of a table that is laid out as cards.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  if (rows.length === 0) return html`<p class="muted">${caption}: none.</p>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
    <table role="table">
      <caption>
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(({ name, kind }) => html`<th role="columnheader" scope="col" class="${kind}">${name}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map((column) => cellOf(column, row))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellOf<Row>({ name, kind, cell }: Column<Row>, row: Row): Html {
  const content = cell(row);
  // A card has no line for what is empty.
  const isEmpty = (typeof content === 'string' ? content : content.markup).trim() === '';
  return html`<td role="cell" class="${kind}${isEmpty ? ' empty' : ''}" data-label="${name}">
    <div>${content}</div>
  </td>`;
}

/** Terms with their values; null is omitted. */
export function definitions(terms: readonly (readonly [string, string | Html | null])[]): Html {
  return html`<dl>
    ${terms.flatMap(([term, text]) =>
      text === null
        ? []
        : [
            html`<dt>${term}</dt>
              <dd>${text}</dd>`,
          ],
    )}
  </dl>`;
}

export type Tone = 'good' | 'caution' | 'bad' | 'plain';

export function badge(tone: Tone, text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

export function statusBadge(status: number | null): Html {
  if (status === null) return badge('plain', 'in flight');
  return badge(status < 300 ? 'good' : status < 500 ? 'caution' : 'bad', String(status));
}

/** `2026-01-31 09:00:00.123`; every page says that it is UTC. */
export function instant(date: Date): Html {
  const text = date.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 23)}</time>`;
}

export function link(address: string, text: string): Html {
  return html`<a href="${address}">${text}</a>`;
}

/** An address of the dashboards; parameters that are undefined or empty are omitted. */
export function address(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** JSON formatted for reading; anything else unchanged. */
export function document(text: string): Html {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A form, or JSON that was cut.
  }
  return html`<pre>${shown}</pre>`;
}

/** Links to the pages before and after in time, with the filters kept. */
export function pageLinks(
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  { newer, older }: { newer: string | null; older: string | null },
): Html {
  if (newer === null && older === null) return html``;
  const to = (name: 'before' | 'after', cursor: string) =>
    address(path, { ...parameters, before: undefined, after: undefined, [name]: cursor });
  return html`<nav class="pages" aria-label="Pages">
    ${newer === null ? '' : link(address(path, { ...parameters, before: undefined, after: undefined }), 'Newest')}
    ${newer === null ? '' : html`<a rel="prev" href="${to('after', newer)}">← Newer</a>`}
    ${older === null ? '' : html`<a rel="next" href="${to('before', older)}">Older →</a>`}
  </nav>`;
}
