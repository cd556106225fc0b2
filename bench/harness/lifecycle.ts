import { randomUUID } from 'node:crypto';
import type { PaymentsClient } from '#payments-client';
import { orderedAmount, shopUrls, type Contender } from './contender.js';
import type { Payer } from './payer.js';

export interface Lifecycle {
  readonly workflowId: string;
  /** Milliseconds from each request to its answer, summed; the payer's own time left out. */
  readonly ms: number;
}

/** One payment from order to captured. */
export async function carryThrough(contender: Contender, payer: Payer): Promise<Lifecycle> {
  const clock = new Stopwatch();
  const payment = await clock.time(() => contender.order());
  const redirect = await payer.approve(payment);
  await clock.time(() => contender.payerReturned(payment, redirect));
  await clock.time(() => contender.capture(payment));
  return { workflowId: payment.workflowId, ms: clock.ms };
}

/** The same calls to the provider with nothing around them: its own time. @returns milliseconds, the payer's left out */
export async function callDirectly(provider: PaymentsClient, payer: Payer): Promise<number> {
  const clock = new Stopwatch();
  const { id, approvalUrl = '' } = await clock.time(() => createDirectly(provider));
  const { payerId } = await payer.approve({ approvalUrl });
  const executed = await clock.time(() => provider.payments.execute(id, { payerId }, key()));
  const authorizationId = executed.transactions[0]?.authorizationId ?? '';
  const request = { amount: orderedAmount, isFinalCapture: true, invoiceNumber: randomUUID() };
  await clock.time(() => provider.authorizations.capture(authorizationId, request, key()));
  return clock.ms;
}

export function createDirectly({ payments }: PaymentsClient) {
  const transactions = [{ amount: orderedAmount, custom: randomUUID(), invoiceNumber: randomUUID() }];
  return payments.create({ intent: 'authorize', ...shopUrls, transactions }, key());
}

function key(): { requestId: string } {
  return { requestId: randomUUID() };
}

/** Adds up what the given work takes. */
class Stopwatch {
  ms = 0;

  async time<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work();
    this.ms += performance.now() - startedAt;
    return result;
  }
}
