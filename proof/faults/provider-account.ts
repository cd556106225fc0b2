import { z } from 'zod';
import { Failure } from '#tools/failure.js';
import { type Answer, exchange, exchangeUntilAnswered, type Request } from '#tools/http.js';

const agreement = z.object({
  id: z.string(),
  state: z.string(),
  name: z.string(),
  agreement_details: z.object({
    cycles_completed: z.coerce.number().int(),
    outstanding_balance: z.object({ value: z.string() }),
  }),
});

/** A billing agreement that was executed, as the provider has it. */
export type Agreement = z.infer<typeof agreement>;

const transactionList = z.object({
  agreement_transaction_list: z
    .array(z.object({ transaction_id: z.string(), status: z.string() }))
    .default([]),
});

const links = z.array(z.object({ rel: z.string(), href: z.string() })).default([]);
const eventPage = z.object({
  events: z.array(
    z.object({ id: z.string(), resource: z.object({ id: z.string(), name: z.string().optional() }) }),
  ),
  links,
});
const planPage = z.object({
  plans: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  links,
});

const grant = z.object({ access_token: z.string() });

/** What an application can see and do at the provider by its own credentials, without the engine. */
export class ProviderAccount {
  #token: string | undefined;

  constructor(
    private readonly origin: string,
    private readonly credentials: { readonly clientId: string; readonly clientSecret: string },
    private readonly signal: AbortSignal,
  ) {}

  /** Ids of all that were ever executed under this name: agreements cannot be listed, but their events can. */
  async agreementsNamed(name: string): Promise<string[]> {
    const ids = new Set<string>();
    let page = '/v1/notifications/webhooks-events?event_type=BILLING.SUBSCRIPTION.CREATED&page_size=300';
    while (page !== '') {
      const { events, links: ways } = await this.#read(page, eventPage);
      for (const { resource } of events) if (resource.name === name) ids.add(resource.id);
      page = nextOf(ways);
    }
    return [...ids];
  }

  /** Delivers all earlier events of this resource again. */
  async resendEventsAbout(resourceId: string): Promise<void> {
    let page = `/v1/notifications/webhooks-events?transaction_id=${resourceId}&page_size=300`;
    while (page !== '') {
      const { events, links: ways } = await this.#read(page, eventPage);
      for (const { id } of events) await this.#post(`/v1/notifications/webhooks-events/${id}/resend`, {});
      page = nextOf(ways);
    }
  }

  async agreement(id: string): Promise<Agreement> {
    return await this.#read(agreementPath(id), agreement);
  }

  /** Ids of the sales that were collected for an agreement. */
  async collectedFor(id: string): Promise<string[]> {
    // A day more than today, wherever the day is counted.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { agreement_transaction_list: all } = await this.#read(
      `${agreementPath(id)}/transactions?start_date=2000-01-01&end_date=${tomorrow}`,
      transactionList,
    );
    return all.filter(({ status }) => status === 'Completed').map(({ transaction_id }) => transaction_id);
  }

  /** Also when it was cancelled before, by a request whose answer was lost. */
  async cancelAgreement(id: string): Promise<void> {
    await this.#post(`${agreementPath(id)}/cancel`, { note: 'cancelled elsewhere' });
  }

  /** How many plans there are of this name, in whatever state. */
  async countPlansNamed(name: string): Promise<number> {
    let count = 0;
    let page = '/v1/payments/billing-plans?status=ALL&page_size=20';
    while (page !== '') {
      const { plans, links: ways } = await this.#read(page, planPage);
      count += plans.filter((plan) => plan.name === name).length;
      page = nextOf(ways);
    }
    return count;
  }

  async #post(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await this.#exchange(path, { method: 'POST', headers, body: JSON.stringify(body) }, z.unknown());
  }

  async #read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    const { status, text } = await this.#exchange(path, {}, schema);
    if (status !== 200)
      throw new Failure(`The provider answered ${path} with ${status}: ${text.slice(0, 300)}`);
    return schema.parse(JSON.parse(text));
  }

  /** @param schema of an answer that is no refusal: one that does not fit is asked for again. */
  async #exchange(path: string, request: Request, schema: z.ZodType): Promise<Answer> {
    const token = await this.#authorize();
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const send = (): Promise<Answer> =>
      exchange(new URL(path, this.origin).href, { ...request, headers }, this.signal);
    return exchangeUntilAnswered(send, this.signal, (answer) => isGarbage(answer, schema));
  }

  async #authorize(): Promise<string> {
    if (this.#token !== undefined) return this.#token;
    const { clientId, clientSecret } = this.credentials;
    const request = {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    };
    const { text } = await exchangeUntilAnswered(
      () => exchange(`${this.origin}/v1/oauth2/token`, request, this.signal),
      this.signal,
      (answer) => isGarbage(answer, grant),
    );
    this.#token = grant.parse(JSON.parse(text)).access_token;
    return this.#token;
  }
}

/** The provider's errors have names such as `RESOURCE_NOT_FOUND`; those of a gateway have others, or none. */
const refusal = z.union([
  z.object({ name: z.string().regex(/^[A-Z][A-Z0-9_]*$/) }),
  z.object({ error: z.enum(['invalid_token', 'invalid_client']) }),
]);

/** Faults hit this caller like the engine: what a proxy or gateway has written is no answer of the provider. */
function isGarbage({ status, text }: Answer, schema: z.ZodType): boolean {
  if (text === '') return false;
  try {
    const body: unknown = JSON.parse(text);
    return !(status < 400 ? schema : refusal).safeParse(body).success;
  } catch {
    return true;
  }
}

function agreementPath(id: string): string {
  return `/v1/payments/billing-agreements/${id}`;
}

/** Empty on the last page. */
function nextOf(ways: z.infer<typeof links>): string {
  return ways.find(({ rel }) => rel === 'next' || rel === 'next_page')?.href ?? '';
}
