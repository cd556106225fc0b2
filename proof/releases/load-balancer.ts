import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/**
 * Stands before the API processes as a platform's does: one address for order services, payers and the provider. A
 * connection goes to the next process in turn, and to another one if that refuses it.
 */
export class LoadBalancer {
  readonly #sockets = new Set<Socket>();
  #ports: readonly number[] = [];
  #turn = 0;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async listen(): Promise<LoadBalancer> {
    const server = createServer((client) => balancer.#take(client));
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    const { port } = server.address() as AddressInfo;
    const balancer = new LoadBalancer(`http://127.0.0.1:${port}`, server);
    return balancer;
  }

  /** New connections go to these from now on; those that are open stay where they are. */
  sendTo(origins: readonly string[]): void {
    this.#ports = origins.map((origin) => Number(new URL(origin).port));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }

  #take(client: Socket): void {
    this.#keep(client);
    const first = this.#turn++;
    const inTurn = this.#ports.map((_, index) => this.#ports[(first + index) % this.#ports.length] ?? 0);
    this.#join(client, inTurn);
  }

  #join(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    this.#keep(server);
    const next = (): void => this.#join(client, others);
    server.once('error', next);
    server.once('connect', () => {
      server.off('error', next);
      client.pipe(server).pipe(client);
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
