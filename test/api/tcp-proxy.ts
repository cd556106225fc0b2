import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between the API and a server of its own, so that this server can be away without being stopped. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private mode: 'open' | 'refusing' | 'silent' = 'open';
  private lastWords: string | undefined;

  private constructor(
    readonly port: number,
    private readonly closeServer: () => void,
  ) {}

  static async to(host: string, port: number): Promise<TcpProxy> {
    const server = createServer((client) => proxy.take(client, host, port));
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    const proxy = new TcpProxy((server.address() as AddressInfo).port, () => server.close());
    return proxy;
  }

  /** As a killed server does: connections break, new ones break at once. */
  refuse(): void {
    this.mode = 'refusing';
    for (const socket of this.sockets) socket.destroy();
  }

  /** As a cut cable does: nothing breaks, nothing comes. */
  fallSilent(): void {
    this.mode = 'silent';
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** As a line that dies half-way does, at the moment when this is said: it arrives, no answer comes back. */
  swallowAnswersTo(words: string): void {
    this.lastWords = words;
  }

  /** Connections made while it was silent break, as they do after a time-out. */
  restore(): void {
    this.mode = 'open';
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.closeServer();
  }

  private take(client: Socket, host: string, port: number): void {
    this.keep(client);
    if (this.mode === 'refusing') client.destroy();
    if (this.mode !== 'open') return;
    const server = connect(port, host);
    this.keep(server);
    client.pipe(server).pipe(client);
    client.on('data', (said: Buffer) => {
      if (this.lastWords !== undefined && said.includes(this.lastWords)) server.unpipe().resume();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
