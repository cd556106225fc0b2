import { corruptionsOf, type Corruption } from './corruption.js';

const NOBODY = "'payee:NOBODY'";
const OTHER_HOLD = "'hold:OTHER'";
const EUR = "'EUR'";

const taken = (kind: string, what: string) => posting(kind, what, '<');
const given = (kind: string, what: string) => posting(kind, what, '>');

function posting(kind: string, what: string, sign: '<' | '>'): string {
  return `amount_minor ${sign} 0 AND entry_id = (SELECT id FROM book_entries WHERE kind = '${kind}' AND ${what})`;
}

/** Entries and postings that say something else than what was moved. */
export const MOVEMENT_CORRUPTIONS: readonly Corruption[] = [
  ...corruptionsOf('a hold goes from the payer to the hold of its authorization', [
    [
      'a hold taken from another account',
      'book_postings.account',
      NOBODY,
      taken('hold', 'authorization_id = {held}'),
    ],
    [
      'a hold kept under another authorization',
      'book_postings.account',
      OTHER_HOLD,
      given('hold', 'authorization_id = {held}'),
    ],
  ]),
  ...corruptionsOf('a release goes from the hold of its authorization back to the payer', [
    [
      'a release given to another account',
      'book_postings.account',
      NOBODY,
      given('release', 'authorization_id = {voided}'),
    ],
    [
      'a release taken from another hold',
      'book_postings.account',
      OTHER_HOLD,
      taken('release', 'authorization_id = {voided}'),
    ],
  ]),
  ...corruptionsOf('a capture goes from the hold of its authorization to the payee', [
    [
      'a capture paid to another account',
      'book_postings.account',
      NOBODY,
      given('capture', 'capture_id = {capture}'),
    ],
    [
      'a capture taken from another hold',
      'book_postings.account',
      OTHER_HOLD,
      taken('capture', 'capture_id = {capture}'),
    ],
  ]),
  ...corruptionsOf('a sale goes from the payer to the payee', [
    [
      'a sale credited to another account',
      'book_postings.account',
      NOBODY,
      given('sale', 'sale_id = {sale}'),
    ],
    ['a sale taken from another account', 'book_postings.account', NOBODY, taken('sale', 'sale_id = {sale}')],
    [
      'a sale of an agreement credited to another account',
      'book_postings.account',
      NOBODY,
      given('sale', 'sale_id = {agreementSale}'),
    ],
  ]),
  ...corruptionsOf('a refund or a reversal goes from the payee back to the payer', [
    [
      'a refund of a sale taken from another account',
      'book_postings.account',
      NOBODY,
      taken('refund', 'refund_id = {saleRefund}'),
    ],
    [
      'a refund of a capture given to another account',
      'book_postings.account',
      NOBODY,
      given('refund', 'refund_id = {captureRefund}'),
    ],
    [
      'a reversal of a sale given to another account',
      'book_postings.account',
      NOBODY,
      given('reversal', 'sale_id = {returnedSale}'),
    ],
    [
      'a reversal of a capture taken from another account',
      'book_postings.account',
      NOBODY,
      taken('reversal', 'capture_id = {capture}'),
    ],
  ]),
  ...corruptionsOf('a payout goes from the sender to the receiver', [
    [
      'a payout credited to another account',
      'book_postings.account',
      NOBODY,
      given('payout', 'payout_item_id = {paidItem}'),
    ],
    [
      'a payout taken from another account',
      'book_postings.account',
      NOBODY,
      taken('payout', 'payout_item_id = {paidItem}'),
    ],
  ]),
  ...corruptionsOf('a payout comes back from the receiver to the sender', [
    [
      'a payout given back to another account',
      'book_postings.account',
      NOBODY,
      given('payout_return', 'payout_item_id = {failedItem}'),
    ],
    [
      'a payout taken back from another account',
      'book_postings.account',
      NOBODY,
      taken('payout_return', 'payout_item_id = {failedItem}'),
    ],
  ]),
  ...corruptionsOf('an entry is in the currency of what it moves', [
    [
      'a hold booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'hold' AND authorization_id = {held}",
    ],
    [
      'a release booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'release' AND authorization_id = {voided}",
    ],
    [
      'a capture booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'capture' AND capture_id = {capture}",
    ],
    ['a sale booked in another currency', 'book_entries.currency', EUR, "kind = 'sale' AND sale_id = {sale}"],
    [
      'a refund booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'refund' AND refund_id = {captureRefund}",
    ],
    [
      'a reversal booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'reversal' AND sale_id = {returnedSale}",
    ],
    [
      'a payout booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'payout' AND payout_item_id = {paidItem}",
    ],
    [
      'a payout return booked in another currency',
      'book_entries.currency',
      EUR,
      "kind = 'payout_return' AND payout_item_id = {failedItem}",
    ],
  ]),
  ...corruptionsOf('an entry is of the application of what it moves', [
    [
      'a sale booked for another application',
      'book_entries.client_id',
      "'other'",
      "kind = 'sale' AND sale_id = {sale}",
    ],
    [
      'a payout booked for another application',
      'book_entries.client_id',
      "'other'",
      "kind = 'payout' AND payout_item_id = {paidItem}",
    ],
  ]),
  ...corruptionsOf('an entry names the payment, the agreement and the authorization of what it moves', [
    [
      'a capture booked for another payment',
      'book_entries.payment_id',
      '{heldOf}',
      "kind = 'capture' AND capture_id = {capture}",
    ],
    [
      'a sale booked for no agreement',
      'book_entries.agreement_id',
      'NULL',
      "kind = 'sale' AND sale_id = {agreementSale}",
    ],
    [
      'a capture booked for another authorization',
      'book_entries.authorization_id',
      '{held}',
      "kind = 'capture' AND capture_id = {capture}",
    ],
  ]),
];
