import type { AccountRow, PaymentRow } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import { html, type Html } from '../pages/html.js';
import { returnAddress } from './approve-payment.js';

/** What is to be paid, and where there are several accounts, the choice of the one that pays. */
export function approvalForm(payment: PaymentRow, payers: readonly AccountRow[]): Html {
  const token = payment.approval_token;
  // Fields and buttons may stand apart: each names its form.
  return html`${summary(payment)}
    <form id="approve" method="post" action="/checkout/approve">
      <input type="hidden" name="token" value="${token}" />
      ${payers.length > 1 ? accountChoice(payers, payers[0]?.id) : html``}
    </form>
    <div class="actions">
      <button class="primary" type="submit" form="approve">Approve</button>
      <form method="post" action="/checkout/cancel">
        <input type="hidden" name="token" value="${token}" />
        <button class="plain" type="submit">Cancel</button>
      </form>
    </div>`;
}

/** Until the payment is executed the payer may still choose another account: one may turn out to be declined. */
export function approvedNotice(payment: PaymentRow, payers: readonly AccountRow[]): Html {
  return html`<p role="status">You have approved this payment.</p>
    ${summary(payment)}
    <p><a href="${returnAddress(payment) ?? ''}">Return to the shop</a></p>
    ${payers.length > 1 ? otherAccountForm(payment, payers) : html``}`;
}

function otherAccountForm(payment: PaymentRow, payers: readonly AccountRow[]): Html {
  return html`<form method="post" action="/checkout/approve">
    <input type="hidden" name="token" value="${payment.approval_token}" />
    ${accountChoice(payers, payment.payer_id ?? undefined)}
    <div class="actions"><button class="plain" type="submit">Pay from this account instead</button></div>
  </form>`;
}

/** Names and ids only: a page never shows a payer’s e-mail address. */
export function accountChoice(payers: readonly AccountRow[], chosenId: string | undefined): Html {
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

function summary(payment: PaymentRow): Html {
  const amount = `${writeAmount(payment.amount_minor, payment.currency)} ${payment.currency}`;
  const rows: [string, string | null][] = [
    ['Amount', amount],
    ['For', payment.description],
    ['To', payment.payee_email ?? `Account ${payment.payee_id}`],
    ['Kind', payment.intent === 'sale' ? 'Paid at once' : 'Held now, collected later'],
  ];
  return html`<dl>
    ${rows.flatMap(([term, text]) =>
      text === null
        ? []
        : [
            html`<dt>${term}</dt>
              <dd>${text}</dd>`,
          ],
    )}
  </dl>`;
}
