import type { Html } from '../pages/html.js';
import { html } from '../pages/html.js';

export function transactionLink(id: string): Html {
  return html`<a class="code" href="/dashboard/transactions/${encodeURIComponent(id)}">${id}</a>`;
}
