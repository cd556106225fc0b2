import { corruptionsOf, type Corruption } from './corruption.js';

const EUR = "'EUR'";

/** States and amounts that are not what the money says. */
export const STATE_CORRUPTIONS: readonly Corruption[] = [
  ...corruptionsOf(
    'a sale has the application, the currency, the payer and the payee of its payment or agreement',
    [
      ['a sale to another payee than its payment’s', 'sales.payee_id', "'NOBODY'", 'id = {pendingSale}'],
      ['a sale by another payer than its agreement’s', 'sales.payer_id', "'NOBODY'", 'id = {agreementSale}'],
    ],
  ),
  ...corruptionsOf('an authorization has the application and the currency of its payment', [
    ['an authorization in another currency than its payment', 'authorizations.currency', EUR, 'id = {held}'],
  ]),
  ...corruptionsOf('a capture has the payment, the application and the currency of its authorization', [
    [
      'a capture in another currency than its authorization',
      'captures.currency',
      EUR,
      'id = {pendingCapture}',
    ],
    [
      'a capture of another payment than its authorization',
      'captures.payment_id',
      '{heldOf}',
      'id = {pendingCapture}',
    ],
  ]),
  ...corruptionsOf('a refund has the payment, the application and the currency of its sale or capture', [
    ['a refund in another currency than its capture', 'refunds.currency', EUR, 'id = {captureRefund}'],
    ['a refund of another payment than its sale', 'refunds.payment_id', '{heldOf}', 'id = {saleRefund}'],
  ]),
  ...corruptionsOf('a payout item has the application and the currency of its batch', [
    ['a payout item in another currency than its batch', 'payout_items.currency', EUR, 'id = {paidItem}'],
  ]),
  ...corruptionsOf(
    'a payout item is paid once when its batch is funded, and comes back once when its receiver does not keep it',
    [['a payout item of another amount', 'payout_items.amount_minor', '1', 'id = {paidItem}']],
  ),
  ...corruptionsOf('a payment has the sale or the authorizations that its intent and its state ask for', [
    ['a payment that failed though its sale is completed', 'payments.state', "'failed'", 'id = {saleOf}'],
    [
      'a payment that is in progress though its sale is completed',
      'payments.state',
      "'in_progress'",
      'id = {saleOf}',
    ],
    ['a payment that is created though its funds are held', 'payments.state', "'created'", 'id = {heldOf}'],
    [
      'a payment that is approved with neither a sale nor an authorization',
      'payments.state',
      "'approved'",
      'id = {waiting}',
    ],
    [
      'a payment that is in progress with nothing pending',
      'payments.state',
      "'in_progress'",
      'id = {waiting}',
    ],
    ['a payment whose intent is not what was done', 'payments.intent', "'authorize'", 'id = {saleOf}'],
  ]),
  ...corruptionsOf('a payment is of the amount of its sale', [
    ['a payment of another amount than its sale', 'payments.amount_minor', '1', 'id = {saleOf}'],
  ]),
  ...corruptionsOf('a payment has one first authorization, of its amount', [
    ['a payment of another amount than its authorization', 'payments.amount_minor', '1', 'id = {heldOf}'],
    ['a payment with two first authorizations', 'authorizations.parent_id', 'NULL', 'id = {successor}'],
  ]),
  ...corruptionsOf('an authorization reserves what its pending captures ask for', [
    [
      'a pending capture of another authorization',
      'captures.authorization_id',
      '{held}',
      'id = {pendingCapture}',
    ],
    ['a pending capture that was lost', 'captures.state', "'denied'", 'id = {pendingCapture}'],
    [
      'a pending capture for which nothing is reserved',
      'authorizations.pending_minor',
      '0',
      'id = {reserving}',
    ],
  ]),
  ...corruptionsOf('an authorization is closing while its final capture is pending', [
    [
      'an authorization that takes captures while its final one is pending',
      'authorizations.closing',
      'false',
      'id = {closing}',
    ],
    [
      'an authorization that takes no captures though none is final',
      'authorizations.closing',
      'true',
      'id = {reserving}',
    ],
  ]),
  ...corruptionsOf('an authorization is in the state that its amounts make', [
    [
      'a partially captured authorization shown as authorized',
      'authorizations.state',
      "'authorized'",
      'id = {part}',
    ],
    [
      'an authorization shown as partially captured before any capture',
      'authorizations.state',
      "'partially_captured'",
      'id = {held}',
    ],
    [
      'an authorization shown as captured while some is open',
      'authorizations.state',
      "'captured'",
      'id = {part}',
    ],
    [
      'a captured authorization shown as open',
      'authorizations.state',
      "'partially_captured'",
      'id = {whole}',
    ],
    ['a voided authorization shown as captured', 'authorizations.state', "'captured'", 'id = {voided}'],
    [
      'an authorization shown as expired while some is open',
      'authorizations.state',
      "'expired'",
      'id = {held}',
    ],
    [
      'an authorization shown as pending though its funds are held',
      'authorizations.state',
      "'pending'",
      'id = {part}',
    ],
  ]),
  ...corruptionsOf('no more is captured, pending and held of a payment than 115 % of its amount', [
    ['an authorization of more than was held', 'authorizations.amount_minor', '20000', 'id = {successor}'],
  ]),
  ...corruptionsOf('an authorization agrees with its holds, captures and releases', [
    ['an authorization that was renewed without a hold', 'authorizations.renewals', '1', 'id = {held}'],
    ['captures that do not add up', 'authorizations.captured_minor', '3000', 'id = {part}'],
  ]),
];
