import type { AccountRow, AgreementRow, PaymentDefinition } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import { html, type Html } from '../pages/html.js';
import { accountChoice } from '../payer-pages/approval-page.js';
import { returnAddress } from './approve-agreement.js';

/** What will be paid and when, and where there are several accounts, the choice of the one that pays. */
export function approvalForm(agreement: AgreementRow, payers: readonly AccountRow[]): Html {
  return html`${summary(agreement)}
    <form id="approve" method="post" action="/checkout/agreement/approve">
      <input type="hidden" name="token" value="${agreement.token}" />
      ${payers.length > 1 ? accountChoice(payers, payers[0]?.id) : html``}
    </form>
    <div class="actions">
      <button class="primary" type="submit" form="approve">Approve</button>
      <form method="post" action="/checkout/agreement/cancel">
        <input type="hidden" name="token" value="${agreement.token}" />
        <button class="plain" type="submit">Cancel</button>
      </form>
    </div>`;
}

/** Until the agreement is executed the payer may still choose another account. */
export function approvedNotice(agreement: AgreementRow, payers: readonly AccountRow[]): Html {
  return html`<p role="status">You have approved these payments.</p>
    ${summary(agreement)}
    <p><a href="${returnAddress(agreement)}">Return to the shop</a></p>
    ${payers.length > 1 ? otherAccountForm(agreement, payers) : html``}`;
}

function otherAccountForm(agreement: AgreementRow, payers: readonly AccountRow[]): Html {
  return html`<form method="post" action="/checkout/agreement/approve">
    <input type="hidden" name="token" value="${agreement.token}" />
    ${accountChoice(payers, agreement.payer_id ?? undefined)}
    <div class="actions"><button class="plain" type="submit">Pay from this account instead</button></div>
  </form>`;
}

function summary(agreement: AgreementRow): Html {
  const { definitions, preferences, currency } = agreement.terms;
  const money = (minor: number) => `${writeAmount(minor, currency)} ${currency}`;
  const trialFirst = [...definitions].sort((one, other) => rank(one) - rank(other));
  const rows: [string, string][] = [
    ['Agreement', agreement.name],
    ['For', agreement.description],
    ['From', `${agreement.start_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ...(preferences.setupFeeMinor > 0
      ? [['At once', money(preferences.setupFeeMinor)] as [string, string]]
      : []),
    ...trialFirst.map((definition): [string, string] => [
      definition.type === 'TRIAL' ? 'At first' : 'Regularly',
      `${money(totalOf(definition))} ${rhythmOf(definition)}`,
    ]),
    ['To', `Account ${agreement.payee_id}`],
  ];
  return html`<dl>
    ${rows.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}

function rank({ type }: PaymentDefinition): number {
  return type === 'TRIAL' ? 0 : 1;
}

function totalOf({ amountMinor, chargeModels }: PaymentDefinition): number {
  return chargeModels.reduce((sum, charge) => sum + charge.amountMinor, amountMinor);
}

function rhythmOf({ frequency, frequencyInterval, cycles }: PaymentDefinition): string {
  const unit = frequency.toLowerCase();
  const rhythm = frequencyInterval === 1 ? `every ${unit}` : `every ${frequencyInterval} ${unit}s`;
  if (cycles === 0) return `${rhythm}, until it is cancelled`;
  return `${rhythm}, ${cycles === 1 ? 'once' : `${cycles} times`}`;
}
