import type { Child } from 'hono/jsx';
import { renderToString } from 'hono/jsx/dom/server';
import { type Operator, mayAs } from '../../injected/console-user.js';
import { scriptAddress, styleAddress } from './assets.js';

const sections = [
  ['/console', 'Start', 'viewer'],
  ['/console/calls', 'API calls', 'viewer'],
  ['/console/webhook-events', 'Webhook events', 'viewer'],
  ['/console/endpoints', 'Notifications', 'viewer'],
  ['/console/audit', 'Audit trail', 'admin'],
] as const;
export type Section = (typeof sections)[number][0];

/** Somebody at a page of the console. */
export interface Visit {
  readonly operator: Operator;
  /** For the forms of the page. */
  readonly csrfToken: string;
}

export interface Page {
  readonly title: string;
  /** Absent before the sign-in. */
  readonly visit?: Visit | undefined;
  readonly section?: Section | undefined;
  /** What the search box shows. */
  readonly searched?: string | undefined;
  /** Seconds after which the page shows changes by itself. */
  readonly live?: number | undefined;
  /** The page to which the browser goes at once. */
  readonly leadsTo?: string | undefined;
  readonly children: Child;
}

/** A complete page: skip link, search, navigation, one main heading, content. */
export function renderPage({ title, visit, section, searched, live, leadsTo, children }: Page): string {
  const document = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – Payments console`}</title>
        {leadsTo !== undefined && <meta http-equiv="refresh" content={`0; url=${leadsTo}`} />}
        <link rel="stylesheet" href={styleAddress} />
        {live !== undefined && <script src={scriptAddress} defer></script>}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header>
          <span class="name">Payments console</span>
          {visit && <Navigation section={section} operator={visit.operator} />}
          {visit && <SearchBox searched={searched} />}
          {visit && <Who visit={visit} />}
        </header>
        <main id="content" tabindex={-1} {...(live !== undefined && { 'data-live': String(live) })}>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${withoutOverrides(document)}`;
}

/** Characters that turn round how the text behind them reads are shown as what they are. */
function withoutOverrides(document: string): string {
  return document.replaceAll(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`,
  );
}

function Navigation({ section, operator }: { section: Section | undefined; operator: Operator }) {
  return (
    <nav aria-label="Console">
      <ul>
        {sections
          .filter(([, , needed]) => mayAs(operator, needed))
          .map(([path, name]) => (
            <li>
              <a href={path} {...(path === section && { 'aria-current': 'page' as const })}>
                {name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function SearchBox({ searched }: { searched: string | undefined }) {
  return (
    <form class="search" role="search" method="get" action="/console/search">
      <input
        name="id"
        aria-label="Any id: order, ours, the provider’s, event, debug id, invoice number"
        placeholder="Any id"
        value={searched ?? ''}
        required
        maxlength={255}
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit">Find</button>
    </form>
  );
}

function Who({ visit: { operator, csrfToken } }: { visit: Visit }) {
  return (
    <form class="who" method="post" action="/console/sign-out">
      <input type="hidden" name="_csrf" value={csrfToken} />
      <span>
        {operator.name} ({operator.role})
      </span>
      <button type="submit">Sign out</button>
    </form>
  );
}
