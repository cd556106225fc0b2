import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  raw: Buffer;
  // eslint-disable-next-line typescript/no-explicit-any
  event: any;
}

/** A webhook endpoint over a real socket, which answers what the test says. */
export class WebhookReceiver {
  readonly deliveries: ReceivedDelivery[] = [];
  /** The status to answer with; null: no answer at all. */
  answer: (delivery: ReceivedDelivery) => number | null = () => 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const delivery = { headers: request.headers, raw, event: JSON.parse(raw.toString()) };
        receiver.deliveries.push(delivery);
        const status = receiver.answer(delivery);
        if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Names of the event types received for a resource, in the order of arrival. */
  typesOf(resourceId: string): string[] {
    return this.deliveries
      .filter(({ event }) => event.resource.id === resourceId)
      .map(({ event }) => event.event_type);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
