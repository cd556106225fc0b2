import type { AccountRow } from '../database/tables.js';
import { html, type Html } from '../pages/html.js';
import { page } from '../pages/payer-page.js';
import type { Approvable, Approval } from './approvable.js';

export function notFoundPage({ words: { name } }: Approvable): string {
  const title = `${capitalized(name)} not found`;
  return page(title, html`<p>This link belongs to no ${name} that you can approve.</p>`);
}

export function approvalPage(approvable: Approvable, approval: Approval): string {
  const { name, question } = approvable.words;
  switch (approval.standing) {
    case 'waiting':
      return page(question, approvalForm(approvable, approval));
    case 'approved':
      return page(`${capitalized(name)} approved`, approvedNotice(approvable, approval));
    case 'expired': {
      const notice = html`<p role="status">The time to approve this ${name} is over. Nothing was paid.</p>`;
      return page(`${capitalized(name)} expired`, notice);
    }
  }
}

/** What is to be paid, and the choice of the account when there are several. */
function approvalForm({ path }: Approvable, { token, summary, payers }: Approval): Html {
  return html`${listOf(summary)}
    <div class="actions">
      <form method="post" action="${path}/approve">
        <input type="hidden" name="token" value="${token}" />
        ${payers.length > 1 ? accountChoice(payers, payers[0]?.id) : html``}
        <button class="primary" type="submit">Approve</button>
      </form>
      <form method="post" action="${path}/cancel">
        <input type="hidden" name="token" value="${token}" />
        <button class="plain" type="submit">Cancel</button>
      </form>
    </div>`;
}

/** Until the execution the payer may choose another account, because the first one may be declined. */
function approvedNotice(approvable: Approvable, approval: Approval): Html {
  return html`<p role="status">${approvable.words.approved}</p>
    ${listOf(approval.summary)}
    <p><a href="${approval.returnAddress}">Return to the shop</a></p>
    ${approval.payers.length > 1 ? otherAccountForm(approvable, approval) : html``}`;
}

function otherAccountForm({ path }: Approvable, { token, payers, payerId }: Approval): Html {
  return html`<form method="post" action="${path}/approve">
    <input type="hidden" name="token" value="${token}" />
    ${accountChoice(payers, payerId ?? undefined)}
    <div class="actions"><button class="plain" type="submit">Pay from this account instead</button></div>
  </form>`;
}

/** Names and ids only: a page never shows a payer’s e-mail address. */
function accountChoice(payers: readonly AccountRow[], chosenId: string | undefined): Html {
  return html`<p>
    <label for="account">Pay from</label>
    <select id="account" name="accountId">
      ${payers.map((payer) => accountOption(payer, payer.id === chosenId))}
    </select>
  </p>`;
}

function accountOption(payer: AccountRow, isChosen: boolean): Html {
  const name = [payer.first_name, payer.last_name].filter((part) => part !== null).join(' ');
  const label = name === '' ? payer.id : `${name} (${payer.id})`;
  return isChosen
    ? html`<option value="${payer.id}" selected>${label}</option>`
    : html`<option value="${payer.id}">${label}</option>`;
}

function listOf(summary: Approval['summary']): Html {
  return html`<dl>
    ${summary.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
