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
});

/** An entry of the sandbox's books. `amountMinor` is in minor units of `currency`. */
export type Movement = z.infer<typeof movement>;

const call = z.object({
  id: z.string(),
  operation: z.string(),
  path: z.string(),
  requestId: z.string().nullable(),
  fault: z.string().nullish(),
  startedAt: z.coerce.date(),
  finishedAt: z.coerce.date().nullable(),
});

/** A call to the payments service, as its own log has it; `finishedAt` is null while it is in flight. */
export type Call = z.infer<typeof call>;

const fault = z.object({ operation: z.string(), kind: z.string(), times: z.int(), remaining: z.int() });

/** How often a fault has struck. */
export interface FaultCount {
  readonly kind: string;
  readonly struck: number;
}

interface Collected {
  readonly kind: 'capture' | 'sale';
  readonly id: string;
}

/** An amount as the provider has it. */
interface Total {
  readonly total: string;
  readonly currency: string;
}

const movementsPerPage = 1_000;

/** The sandbox's admin API: faults, books and call log. */
export class SandboxAdmin {
  constructor(
    private readonly origin: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @param settings of the application, beside its secret; those left out get their defaults. */
  async putApplication(clientId: string, clientSecret: string, settings: object): Promise<void> {
    await this.#call('PUT', `/admin/applications/${clientId}`, { clientSecret, ...settings });
  }

  /**
   * Gives money back without the engine: the provider's dashboard. Asked for again after a lost answer, it may be made
   * twice; each bears the reference, so that nobody takes it for one that the engine has made.
   *
   * @param amount all that is left when absent.
   */
  async refundElsewhere(
    { kind, id }: Collected,
    amount: Total | undefined,
    invoiceNumber: string,
  ): Promise<void> {
    // 4xx: nothing is left to be given back, or the first answer was lost.
    await this.#exchange('POST', `/admin/${kind}s/${id}/refund`, {
      ...(amount && { amount }),
      invoice_number: invoiceNumber,
    });
  }

  /**
   * The payer's bank takes the money back. Asked for again after a lost answer, a part may be taken twice.
   *
   * @param amount all that is left when absent.
   */
  async chargeBack({ kind, id }: Collected, amount: Total | undefined): Promise<void> {
    // 4xx: nothing is left, or the first answer was lost.
    await this.#exchange('POST', `/admin/${kind}s/${id}/reverse`, amount ? { amount } : {});
  }

  /** @returns the fault's id. */
  async switchOn(fault: object): Promise<string> {
    return z.object({ id: z.string() }).parse(await this.#call('POST', '/admin/faults', fault)).id;
  }

  /** Also when it was switched off before, by a request whose answer was lost. */
  async switchOff(id: string): Promise<void> {
    const { status, text } = await this.#exchange('DELETE', `/admin/faults/${id}`);
    if (status >= 300 && status !== 404)
      throw new Failure(`The sandbox answered for fault ${id} with ${status}: ${text}`);
  }

  async switchOffFaults(): Promise<void> {
    await this.#call('DELETE', '/admin/faults');
  }

  async faultCounts(): Promise<FaultCount[]> {
    const { faults } = z.object({ faults: z.array(fault) }).parse(await this.#call('GET', '/admin/faults'));
    return faults.map(({ kind, times, remaining }) => ({ kind, struck: times - remaining }));
  }

  async callsInFlight(): Promise<Call[]> {
    const answer = await this.#call('GET', '/admin/calls?inflight=true');
    return z.object({ calls: z.array(call) }).parse(answer).calls;
  }

  /** Undefined while it is in flight, or when the log has lost it. */
  async endedCall(id: string): Promise<Call | undefined> {
    const { status, text } = await this.#exchange('GET', `/admin/calls/${id}`);
    if (status === 404) return undefined;
    if (status !== 200) throw new Failure(`The sandbox answered for call ${id} with ${status}: ${text}`);
    return call.parse(JSON.parse(text));
  }

  /** Every movement of money, in the order in which they were booked. */
  async movements(): Promise<Movement[]> {
    const all: Movement[] = [];
    for (;;) {
      const path = `/admin/books/movements?limit=${movementsPerPage}&after=${all.at(-1)?.id ?? 0}`;
      const { movements } = z.object({ movements: z.array(movement) }).parse(await this.#call('GET', path));
      all.push(...movements);
      if (movements.length < movementsPerPage) return all;
    }
  }

  /** The rules of double entry that the books break, each with what breaks it. */
  async violations(): Promise<string[]> {
    const { violations } = z
      .object({ violations: z.array(z.object({ rule: z.string(), subject: z.string() })) })
      .parse(await this.#call('GET', '/admin/books/check'));
    return violations.map(({ rule, subject }) => `${rule}: ${subject}`);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const { status, text } = await this.#exchange(method, path, body);
    if (status >= 300) throw new Failure(`The sandbox answered ${method} ${path} with ${status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Repeats what a dying sandbox leaves unanswered. */
  #exchange(method: string, path: string, body?: object): Promise<Answer> {
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
