import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

type Answering = (response: ServerResponse, received: Received) => void;

/** An order service that is told: it keeps what it gets, and answers as a test wants it to. */
export class NotificationReceiver {
  readonly received: Received[] = [];
  answer: Answering = (response) => response.writeHead(204).end();

  private constructor(
    readonly url: string,
    private readonly stop: () => void,
  ) {}

  static async start(path = '/told'): Promise<NotificationReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const reported = JSON.parse(body) as Omit<Received, 'headers' | 'body'>;
        const received = { ...reported, headers: request.headers, body };
        receiver.received.push(received);
        receiver.answer(response, received);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new NotificationReceiver(`http://127.0.0.1:${port}${path}`, () => {
      server.close();
      server.closeAllConnections();
    });
    return receiver;
  }

  close(): void {
    this.stop();
  }

  typesAbout(subjectId: string): string[] {
    return this.received.filter(({ data }) => data['id'] === subjectId).map(({ type }) => type);
  }
}

/** Whether the signature is one by this secret, as the specification's own library says. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
