import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a client and a server, so that the server can be away, or slow, without being stopped. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly answers = new Map<Socket, Socket>();
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

  /** @param address host:port. */
  static async before(address: string): Promise<TcpProxy> {
    const [host = '', port] = address.split(':');
    return await TcpProxy.to(host, Number(port));
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

  /** As a slow line does: what the server says comes later, in order. */
  holdAnswers(): void {
    for (const server of this.answers.keys()) server.unpipe().pause();
  }

  letAnswersGo(): void {
    for (const [server, client] of this.answers) server.pipe(client);
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
    this.answers.set(server, client);
    client.on('data', (said: Buffer) => {
      if (this.lastWords !== undefined && said.includes(this.lastWords)) server.unpipe().resume();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => {
      this.answers.delete(server);
      client.destroy();
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
