import { html, type Html } from './html.js';
import { PageStyle } from './page-headers.js';

const STYLE = new PageStyle(`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem; margin-top: 2rem; }
.actions:has(select) { flex-direction: column; align-items: start; }
select { font: inherit; padding: .4rem; max-width: 100%; }
button { font: inherit; padding: .6rem 1.4rem; border: 2px solid #0b57d0; border-radius: .4rem; cursor: pointer; }
button.primary { background: #0b57d0; color: #fff; } button.plain { background: none; color: inherit; }
button:focus-visible, a:focus-visible { outline: 3px solid #f9ab00; outline-offset: 2px; }
`);

/**
 * `form-action` stays open: browsers apply it to redirects after a form, too, and those lead to the order's own
 * addresses. The address of a page contains its token, so no referrer is sent.
 */
export const PAGE_HEADERS = STYLE.headers('no-referrer');

/** A page for a payer: narrow, one heading, one action. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE.element}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.markup;
}
