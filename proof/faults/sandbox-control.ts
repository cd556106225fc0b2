import { z } from 'zod';
import { Failure } from '#tools/failure.js';
import { SandboxAdmin } from '#tools/sandbox-admin.js';

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

/** What a campaign does to the sandbox: faults, and money that moves without the engine. */
export class SandboxControl extends SandboxAdmin {
  /** @param settings of the application, beside its secret; those left out get their defaults. */
  async putApplication(clientId: string, clientSecret: string, settings: object): Promise<void> {
    await this.call('PUT', `/admin/applications/${clientId}`, { clientSecret, ...settings });
  }

  /**
   * Gives money back without the engine: the provider's dashboard. Asked for again after a lost answer, it may be made
   * twice; each has the reference, so that it is not taken for one that the engine has made.
   *
   * @param amount all that is left when absent.
   */
  async refundElsewhere(
    { kind, id }: Collected,
    amount: Total | undefined,
    invoiceNumber: string,
  ): Promise<void> {
    // 4xx: nothing is left to be given back, or the first answer was lost.
    await this.exchange('POST', `/admin/${kind}s/${id}/refund`, {
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
    await this.exchange('POST', `/admin/${kind}s/${id}/reverse`, amount ? { amount } : {});
  }

  /** @returns the fault's id. */
  async switchOn(fault: object): Promise<string> {
    return z.object({ id: z.string() }).parse(await this.call('POST', '/admin/faults', fault)).id;
  }

  /** Also when it was switched off before, by a request whose answer was lost. */
  async switchOff(id: string): Promise<void> {
    const { status, text } = await this.exchange('DELETE', `/admin/faults/${id}`);
    if (status >= 300 && status !== 404)
      throw new Failure(`The sandbox answered for fault ${id} with ${status}: ${text}`);
  }

  async switchOffFaults(): Promise<void> {
    await this.call('DELETE', '/admin/faults');
  }

  async faultCounts(): Promise<FaultCount[]> {
    const { faults } = z.object({ faults: z.array(fault) }).parse(await this.call('GET', '/admin/faults'));
    return faults.map(({ kind, times, remaining }) => ({ kind, struck: times - remaining }));
  }

  async callsInFlight(): Promise<Call[]> {
    const answer = await this.call('GET', '/admin/calls?inflight=true');
    return z.object({ calls: z.array(call) }).parse(answer).calls;
  }

  /** Undefined while it is in flight, or when the log has lost it. */
  async endedCall(id: string): Promise<Call | undefined> {
    const { status, text } = await this.exchange('GET', `/admin/calls/${id}`);
    if (status === 404) return undefined;
    if (status !== 200) throw new Failure(`The sandbox answered for call ${id} with ${status}: ${text}`);
    return call.parse(JSON.parse(text));
  }
}
