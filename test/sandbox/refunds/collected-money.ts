import type { Answer, PaymentChanges, SandboxFixture } from '../sandbox-fixture.js';

export type Kind = 'sale' | 'capture';

/** Money that was collected, by a capture or by a sale, and the calls that send it back. */
export interface Collected {
  kind: Kind;
  id: string;
  paymentId: string;
}

const custom = 'order-7';

export async function collect(
  sandbox: SandboxFixture,
  kind: Kind,
  { total = '100.00', currency = 'USD' }: PaymentChanges = {},
): Promise<Collected> {
  if (kind === 'capture') {
    const { authorizationId, paymentId } = await sandbox.authorized({
      total,
      currency,
      transaction: { custom },
    });
    const path = `/v1/payments/authorization/${authorizationId}/capture`;
    const { body } = await sandbox.call('POST', path, { amount: { total, currency } });
    return { kind, id: body.id, paymentId };
  }
  const { body: created } = await sandbox.createPayment({
    intent: 'sale',
    total,
    currency,
    transaction: { custom },
  });
  await sandbox.approve(created.id);
  const { body } = await sandbox.execute(created.id);
  return { kind, id: body.transactions[0].related_resources[0].sale.id, paymentId: created.id };
}

export function refund(
  sandbox: SandboxFixture,
  { kind, id }: Collected,
  body?: object,
  requestId?: string,
): Promise<Answer> {
  const headers: Record<string, string> = requestId === undefined ? {} : { 'paypal-request-id': requestId };
  return sandbox.call('POST', `/v1/payments/${kind}/${id}/refund`, body, headers);
}

export const dollars = (total: string, more: object = {}) => ({
  amount: { total, currency: 'USD' },
  ...more,
});

export async function read(sandbox: SandboxFixture, { kind, id }: Collected): Promise<Answer['body']> {
  return (await sandbox.call('GET', `/v1/payments/${kind}/${id}`)).body;
}

export async function readRefund(sandbox: SandboxFixture, refundId: string): Promise<Answer['body']> {
  return (await sandbox.call('GET', `/v1/payments/refund/${refundId}`)).body;
}

/** What went back, in the order of booking: `refund 4000`. */
export async function returnsOf(sandbox: SandboxFixture, { paymentId }: Collected): Promise<string[]> {
  return (await sandbox.booksOf(paymentId)).filter((movement) => /^(refund|reversal)/.test(movement));
}

export function relsOf({ links }: { links: { rel: string }[] }): string[] {
  return links.map(({ rel }) => rel);
}
