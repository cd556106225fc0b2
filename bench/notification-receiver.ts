import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// An order service that takes whatever it is sent, in a process of its own, so that its processor time is not counted.
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
