import type { Html } from '../pages/html.js';
import { html } from '../pages/html.js';
import { address, link } from './elements.js';

export function transactionLink(id: string): Html {
  return html`<a class="code" href="/dashboard/transactions/${encodeURIComponent(id)}">${id}</a>`;
}

/** Its client id is in the query, because it may be longer than a part of a path and have any sign in it. */
export function applicationLink(clientId: string): Html {
  return link(address('/dashboard/application', { clientId }), clientId);
}

/** What the applications of an account have done. */
export function accountLink(accountId: string): Html {
  return link(address('/dashboard/transactions', { accountId }), accountId);
}
