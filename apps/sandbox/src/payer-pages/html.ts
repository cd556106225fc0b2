import { createHash } from 'node:crypto';

/** Markup that is safe to insert as it is. */
export class Html {
  constructor(readonly markup: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup from a template; every inserted text is escaped, other markup is not. */
export function html(
  parts: TemplateStringsArray,
  ...inserted: readonly (string | Html | readonly Html[])[]
): Html {
  let markup = parts[0] ?? '';
  inserted.forEach((value, index) => {
    markup += render(value) + (parts[index + 1] ?? '');
  });
  return new Html(markup);
}

function render(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  if (value instanceof Html) return value.markup;
  return value.map(({ markup }) => markup).join('');
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; gap: 1rem; margin-top: 2rem; }
button { font: inherit; padding: .6rem 1.4rem; border: 2px solid #0b57d0; border-radius: .4rem; cursor: pointer; }
button.primary { background: #0b57d0; color: #fff; } button.plain { background: none; color: inherit; }
button:focus-visible, a:focus-visible { outline: 3px solid #f9ab00; outline-offset: 2px; }
`;

/** Exactly the bytes whose hash the policy below allows: no formatter may touch what is between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * No script runs and nothing is loaded. `form-action` stays open: browsers apply it to redirects after a form too, and
 * those lead to the order's own addresses. The address of a page holds its token, so no referrer is sent.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.markup;
}
