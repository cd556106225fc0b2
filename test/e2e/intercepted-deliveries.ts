import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentsClient } from '#payments-client';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';

/** A delivery as it was on its way, before the engine has seen it. */
export interface InterceptedDelivery {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly event: InterceptedEvent;
}

interface InterceptedEvent extends Record<string, unknown> {
  readonly id: string;
  readonly event_type: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Somebody between the provider and the engine, who holds every delivery back until it is sent on. */
export class InterceptedDeliveries {
  private readonly held: InterceptedDelivery[] = [];

  private constructor(private readonly engine: Engine) {}

  static async start(engine: Engine): Promise<{
    readonly deliveries: InterceptedDeliveries;
    readonly stop: () => void;
  }> {
    const deliveries = new InterceptedDeliveries(engine);
    const server = createServer((request, response) => void deliveries.answer(request, response));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await redirect(engine, `http://127.0.0.1:${port}/`);
    return { deliveries, stop: () => server.close() };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const signature = Object.entries(request.headers).filter(([name]) => name.startsWith('paypal-'));
    const event = JSON.parse(body.toString()) as InterceptedEvent;
    this.held.push({ headers: Object.fromEntries(signature) as Record<string, string>, body, event });
    response.end();
  }

  /** Waits for the delivery of an event that is about a resource. */
  async take(eventType: string, resourceId: string): Promise<InterceptedDelivery> {
    const found = await until(
      () => Promise.resolve(this.held.find(isOf(eventType, resourceId))),
      (delivery) => delivery !== undefined,
      `a delivery of ${eventType}`,
    );
    return found!;
  }

  /** @returns the status that the engine answers. */
  async sendOn({ headers, body }: Pick<InterceptedDelivery, 'headers' | 'body'>): Promise<number> {
    const response = await fetch(this.engine.webhookUrls[0], {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    return response.status;
  }
}

function isOf(eventType: string, resourceId: string) {
  return ({ event }: InterceptedDelivery) =>
    event.event_type === eventType && Object.values(event.resource).includes(resourceId);
}

/** The engine's own webhook, its id kept: deliveries are signed over it. */
async function redirect({ db, sandbox }: Engine, url: string): Promise<void> {
  const [webhook] = await until(
    () => db.selectFrom('provider_webhooks').select('webhook_id').execute(),
    ([first]) => first?.webhook_id !== undefined,
    'the webhook to be registered',
  );
  const { url: baseUrl, clientId, clientSecret } = sandbox;
  const client = new PaymentsClient({ baseUrl, clientId, clientSecret });
  await client.webhooks.update(webhook?.webhook_id ?? '', { url });
  await client.close();
}
