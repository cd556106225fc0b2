import { html, type Html } from '../pages/html.js';

export interface Column<Row> {
  name: string;
  /** How its cells are formatted: digits aligned, instants and ids unbroken, long texts broken. */
  kind?: 'number' | 'instant' | 'whole' | 'wide';
  cell: (row: Row) => string | Html;
}

/** A table that scrolls by itself in a narrow window, with the keyboard, too. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  if (rows.length === 0) return html`<p class="muted">${caption}: none.</p>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ name, kind }) => html`<th scope="col" class="${kind ?? ''}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(({ kind, cell }) => html`<td class="${kind ?? ''}">${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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
  return html`<pre tabindex="0">${shown}</pre>`;
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
