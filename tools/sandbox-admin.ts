import { z } from 'zod';
import { Failure } from './failure.js';
import { type Answer, exchange, exchangeUntilAnswered } from './http.js';

const movement = z.object({
  id: z.coerce.number().int(),
  kind: z.enum(['hold', 'capture', 'release', 'sale', 'refund', 'reversal', 'payout', 'payout_return']),
  amountMinor: z.coerce.number().int(),
  currency: z.string(),
  paymentId: z.string().nullable(),
  authorizationId: z.string().nullable(),
  captureId: z.string().nullable(),
  saleId: z.string().nullable(),
  refundId: z.string().nullable(),
  agreementId: z.string().nullable(),
  payoutItemId: z.string().nullable(),
  requestId: z.string().nullable(),
  invoiceNumber: z.string().nullable(),
  custom: z.string().nullable(),
  createdAt: z.coerce.date(),
});

/** An entry of the sandbox's books. `amountMinor` is in minor units of `currency`. */
export type Movement = z.infer<typeof movement>;

const movementsPerPage = 1_000;

/** The books of the sandbox, by its admin API. */
export class SandboxAdmin {
  constructor(
    private readonly origin: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Every movement of money, in the order in which they were booked. */
  async movements(): Promise<Movement[]> {
    const all: Movement[] = [];
    for (;;) {
      const path = `/admin/books/movements?limit=${movementsPerPage}&after=${all.at(-1)?.id ?? 0}`;
      const { movements } = z.object({ movements: z.array(movement) }).parse(await this.call('GET', path));
      all.push(...movements);
      if (movements.length < movementsPerPage) return all;
    }
  }

  /** The rules of double entry that the books break, each with what breaks it. */
  async violations(): Promise<string[]> {
    const { violations } = z
      .object({ violations: z.array(z.object({ rule: z.string(), subject: z.string() })) })
      .parse(await this.call('GET', '/admin/books/check'));
    return violations.map(({ rule, subject }) => `${rule}: ${subject}`);
  }

  protected async call(method: string, path: string, body?: object): Promise<unknown> {
    const { status, text } = await this.exchange(method, path, body);
    if (status >= 300) throw new Failure(`The sandbox answered ${method} ${path} with ${status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Repeats what a dying sandbox leaves unanswered. */
  protected exchange(method: string, path: string, body?: object): Promise<Answer> {
    const send = (): Promise<Answer> =>
      exchange(
        this.origin + path,
        {
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        },
        this.signal,
      );
    return exchangeUntilAnswered(send, this.signal);
  }
}
