import type { Command } from '#proof/faults/order-service.js';
import type { Movement } from '#tools/sandbox-admin.js';

/** A request and what the engine has answered to it. */
export function command(kind: string, more: Partial<Command> = {}): Command {
  return { kind, key: `key-${kind}`, path: '', body: {}, outcome: 'succeeded', ...more };
}

let lastId = 0;

/** An entry of the books over so many minor units. */
export function movement(
  kind: Movement['kind'],
  amountMinor: number,
  more: Partial<Movement> = {},
): Movement {
  lastId += 1;
  return {
    id: lastId,
    kind,
    amountMinor,
    currency: 'USD',
    paymentId: 'PAY-1',
    authorizationId: null,
    captureId: null,
    saleId: null,
    refundId: null,
    agreementId: null,
    payoutItemId: null,
    requestId: null,
    invoiceNumber: null,
    custom: null,
    createdAt: new Date(0),
    ...more,
  };
}

export function usd(value: string): { value: string; currency: string } {
  return { value, currency: 'USD' };
}
