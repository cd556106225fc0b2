import { type AddressInfo, createServer } from 'node:net';

/** A real socket on the loopback interface at which nobody must ever connect. */
export interface ForbiddenListener {
  readonly origin: string;
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function startForbiddenListener(): Promise<ForbiddenListener> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: async () => {
      await new Promise((closed) => server.close(closed));
    },
  };
}
