import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** The first byte of a statement that is sent as it is. */
const query = 0x51;

/** A way to a database whose connections can stop to answer, as when a host dies without a word. */
export async function relayTo(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const held = new Set<Socket>();
  let isHolding = false;
  const relay = createServer((caller) => {
    const server = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [caller, server],
      [server, caller],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
    }
    const isNew = isHolding;
    caller.on('data', (sent: Buffer) => {
      if (!isHolding || !isNew || sent[0] !== query) return;
      held.add(server);
      server.pause();
    });
    caller.pipe(server);
    server.pipe(caller);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  // Its timeouts would have priority.
  url.search = '';
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return {
    url: url.href,
    fallSilent: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    /** New connections are made, and their statements are not answered. */
    holdAnswers: () => (isHolding = true),
    answer: () => {
      isHolding = false;
      for (const socket of held) socket.resume();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      relay.close();
    },
  };
}
