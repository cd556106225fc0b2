import { html, type Html } from '../pages/html.js';
import { STYLE } from './style.js';

const SECTIONS = [
  ['/dashboard', 'Overview'],
  ['/dashboard/transactions', 'Transactions'],
  ['/dashboard/calls', 'Calls'],
  ['/dashboard/events', 'Events'],
  ['/dashboard/webhooks', 'Webhooks'],
  ['/dashboard/faults', 'Faults'],
  ['/dashboard/books', 'Books'],
] as const;

export type Section = (typeof SECTIONS)[number][0];

export interface Notice {
  tone: 'good' | 'caution' | 'bad';
  text: string;
  /** The subjects of the page, one by one. */
  points?: readonly string[];
}

export interface DashboardPage {
  title: string;
  /** The part of the navigation that the page belongs to; absent before the sign-in. */
  section?: Section | undefined;
  notice?: Notice | undefined;
  content: Html;
  /** False when there is nothing to sign out of. */
  canSignOut: boolean;
}

/** A complete page: skip link, navigation, notice, one main heading, content. */
export function dashboardPage({ title, section, notice, content, canSignOut }: DashboardPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Payments sandbox</title>
        ${STYLE.element}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <span class="name">Payments sandbox</span>
          ${section === undefined ? '' : navigation(section)} ${canSignOut ? SIGN_OUT : ''}
        </header>
        <main id="content" tabindex="-1">
          <h1>${title}</h1>
          ${notice === undefined ? '' : noticeBox(notice)} ${content}
        </main>
      </body>
    </html> `.markup;
}

const SIGN_OUT = html`<form method="post" action="/dashboard/sign-out">
  <button type="submit">Sign out</button>
</form>`;

function navigation(section: Section): Html {
  return html`<nav aria-label="Dashboards">
    <ul>
      ${SECTIONS.map(([path, name]) =>
        path === section
          ? html`<li><a href="${path}" aria-current="page">${name}</a></li>`
          : html`<li><a href="${path}">${name}</a></li>`,
      )}
    </ul>
  </nav>`;
}

/** Read out when the page opens: errors at once, other notices when there is time. */
function noticeBox({ tone, text, points = [] }: Notice): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    ${text}
    ${
      points.length === 0
        ? ''
        : html`<ul>
            ${points.map((point) => html`<li>${point}</li>`)}
          </ul>`
    }
  </div>`;
}
