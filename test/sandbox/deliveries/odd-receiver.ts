import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** A webhook endpoint that reads each delivery and then does what no decent one would. */
export class OddReceiver {
  /** Requests that came, by path. */
  readonly paths: string[] = [];
  openAtOnce = 0;
  mostOpenAtOnce = 0;

  private constructor(private readonly server: Server) {}

  static async start(behaviour: Behaviour): Promise<OddReceiver> {
    const server = createServer();
    const receiver = new OddReceiver(server);
    server.on('request', (request, response) => {
      receiver.paths.push(request.url ?? '');
      receiver.openAtOnce += 1;
      receiver.mostOpenAtOnce = Math.max(receiver.mostOpenAtOnce, receiver.openAtOnce);
      response.on('close', () => {
        receiver.openAtOnce -= 1;
      });
      request.resume().on('end', () => behaviour(response, request));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const never: Behaviour = () => undefined;

/** A status line that never ends. */
export const endlessHeaders: Behaviour = (response) => {
  const socket = response.socket as Socket;
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  const timer = setInterval(() => socket.write('a'), 10);
  socket.on('close', () => clearInterval(timer));
};

/** Acknowledged, but its body comes byte by byte and never ends. */
export const endlessBody: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a'), 10);
  response.on('close', () => clearInterval(timer));
};

export const tenMegabytes: Behaviour = (response) => {
  response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024, 'a'));
};

export const hugeHeaders: Behaviour = (response) => {
  (response.socket as Socket).end(`HTTP/1.1 200 OK\r\nx-huge: ${'a'.repeat(1024 * 1024)}\r\n\r\n`);
};

export const notHttp: Behaviour = (response) => {
  (response.socket as Socket).end('SSH-2.0-OpenSSH_9.6\r\n');
};

export const hangUp: Behaviour = (response) => {
  (response.socket as Socket).destroy();
};
