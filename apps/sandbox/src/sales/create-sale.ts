import { bookSale } from '../books/sale-movements.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { SaleRow } from '../database/tables.js';
import { newResourceId } from '../http/identifiers.js';
import type { Links } from '../http/links.js';
import type { Completion } from '../completion/completion.js';
import { recordSaleEvent } from './sale-events.js';

export interface NewSale {
  clientId: string;
  /** What it is collected for: a payment, or a cycle, setup fee or balance of a billing agreement. */
  belongsTo: { paymentId: string } | { billingAgreementId: string };
  /** Whole minor units, more than zero. */
  amountMinor: number;
  currency: string;
  /** Minor units by part (subtotal, tax, shipping, …) that add up to the amount; empty: all of it is the subtotal. */
  amountDetails: Readonly<Record<string, number>>;
  payerId: string | null;
  /** The account that gets the money. */
  payeeId: string;
  invoiceNumber: string | null;
  custom: string | null;
  outcome: Completion;
}

/**
 * Collects money: the sale, its movement in the books when it is completed at once, and its event, all in the given
 * transaction. The clock ends a pending one (finish-sales.ts).
 */
export async function createSale(
  unit: Pick<UnitOfWork, 'transaction' | 'now' | 'requestId'>,
  sale: NewSale,
  links: Links,
): Promise<SaleRow> {
  const created = await unit.transaction
    .insertInto('sales')
    .values({
      id: newResourceId(),
      client_id: sale.clientId,
      payment_id: 'paymentId' in sale.belongsTo ? sale.belongsTo.paymentId : null,
      billing_agreement_id: 'billingAgreementId' in sale.belongsTo ? sale.belongsTo.billingAgreementId : null,
      amount_minor: sale.amountMinor,
      currency: sale.currency,
      amount_details: JSON.stringify(sale.amountDetails),
      payer_id: sale.payerId,
      payee_id: sale.payeeId,
      invoice_number: sale.invoiceNumber,
      custom: sale.custom,
      request_id: unit.requestId,
      ...sale.outcome,
      created_at: unit.now,
      updated_at: unit.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (sale.outcome.state === 'completed') await bookSale(unit, created);
  await recordSaleEvent(unit.transaction, created, sale.outcome.state, links, unit.now);
  return created;
}
