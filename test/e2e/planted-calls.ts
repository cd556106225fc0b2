import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ApiProcess } from '../api/api-process.js';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { inboxRow } from './inbox.js';

/** Stands in every e-mail address and every token that is planted. */
export const marker = 'PLANTED';
export const email = `${marker}.person@private.example`;

/** Of a payment card, as a person or a provider may write it into any text. */
export const card = '4111 1111 1111 1111';

/** Calls with something planted in every place that takes a text, and all that they are answered. */
export class PlantedCalls {
  readonly answers: string[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly api: ApiProcess,
  ) {}

  async call(method: string, path: string, body?: unknown, origin = this.engine.apiUrl) {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${this.engine.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    this.answers.push(`${method} ${path} ${response.status} ${text}`);
    return { status: response.status, text };
  }

  async show(path: string): Promise<string> {
    return (await this.call('GET', path)).text;
  }

  /** An event of every field that may hold somebody's data, and of a payment of ours. */
  async deliverEvent(providerPaymentId: string): Promise<string> {
    const id = `WH-${randomUUID()}`;
    const { pathname } = new URL(this.engine.webhookUrls[0]);
    const event = {
      id,
      resource_type: 'unheard_of',
      event_type: `SOMETHING.OF.${email}`,
      summary: `of ${email} ${card}`,
      resource: {
        id: 'X-1',
        parent_payment: providerPaymentId,
        custom: email,
        payer: { payer_info: { email, first_name: marker, payer_id: 'PAYER1' } },
        note: `ask ${email} ${card}`,
        links: [{ rel: 'self', href: `https://api.example/x?token=${marker}`, method: 'GET' }],
      },
    };
    expect((await this.call('POST', pathname, event, this.api.url)).status).toBe(200);
    await until(
      () => inboxRow(this.engine, id),
      ({ status }) => status === 'applied',
      'the event to be applied',
    );
    return id;
  }

  /** Bad input of every kind, with something planted in each place that an error could quote. */
  async callWrongly(): Promise<void> {
    const { pathname } = new URL(this.engine.webhookUrls[0]);
    await this.call('POST', '/v1/payments', { orderId: { [email]: email }, intent: email, amount: email });
    await this.call('POST', '/v1/payments', `{"orderId": "${email}`);
    await this.call('POST', '/v1/payouts', {
      items: [{ receiver: { type: 'EMAIL', value: { [email]: 1 } } }],
    });
    await this.call('POST', pathname, `{"id": "${email}"`, this.api.url);
    await this.call('POST', pathname, { id: email, resource: {} }, this.api.url);
    await this.call('POST', '/v1/payments', { orderId: card, description: card, intent: card });
    await this.call('POST', `/webhooks/sandbox/shop/${marker}`, {}, this.api.url);
    await this.call('GET', `/v1/payments/${encodeURIComponent(email)}`, undefined, this.api.url);
    await this.call('GET', `/v1/payments?state=${encodeURIComponent(email)}&cursor=${marker}`);
    const foreign = { authorization: `Bearer ${marker}-key` };
    const unknown = await fetch(`${this.api.url}/v1/payments`, { headers: foreign });
    this.answers.push(await unknown.text());
  }
}
