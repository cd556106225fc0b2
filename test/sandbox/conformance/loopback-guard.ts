import dns from 'node:dns';
import { Socket } from 'node:net';
import tls from 'node:tls';

/** Places that connections of this process were made to, and every step towards another place, which is prevented. */
export class LoopbackGuard {
  readonly reached = new Set<string>();
  readonly prevented: string[] = [];
  readonly #undo: (() => void)[] = [];

  constructor() {
    const { lookup } = dns;
    const { connect: connectSecurely } = tls;
    // Found by its name: a method that is taken off its object is to be called with one.
    const connect = Reflect.get(Socket.prototype, 'connect') as (...given: unknown[]) => Socket;
    const watch = (...given: unknown[]) => this.#watch(hostOf(given));
    const watchName = (name: string) => this.#watch(name);
    const prevent = (host: string) => this.#prevent(`TLS to ${host}`);
    Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
      watch(...given);
      return Reflect.apply(connect, this, given);
    };
    dns.lookup = ((name: string, ...rest: unknown[]) => {
      watchName(name);
      return Reflect.apply(lookup, dns, [name, ...rest]) as unknown;
    }) as typeof lookup;
    // Nothing here speaks TLS: a client that does would be on its way to the real service.
    tls.connect = (...given: unknown[]) => prevent(hostOf(given));
    this.#undo.push(
      () => (Socket.prototype.connect = connect),
      () => (dns.lookup = lookup),
      () => (tls.connect = connectSecurely),
    );
  }

  lift(): void {
    for (const undo of this.#undo) undo();
  }

  #watch(host: string): void {
    this.reached.add(host);
    if (!/^(127\.\d+\.\d+\.\d+|::1|localhost|unix)$/.test(host)) this.#prevent(host);
  }

  #prevent(where: string): never {
    this.prevented.push(where);
    throw new Error(`The test prevents a connection to ${where}`);
  }
}

/** connect(options), connect(port, host), or the pair in a list that Node hands on inside. */
function hostOf(given: unknown[]): string {
  const [first, second] = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  if (typeof first === 'object' && first !== null) {
    const { host, path } = first as { host?: string | null; path?: string };
    return path !== undefined && host === undefined ? 'unix' : (host ?? 'localhost');
  }
  return typeof second === 'string' ? second : 'localhost';
}
