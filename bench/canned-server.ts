import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cannedAnswer } from './client-cpu/canned-answers.js';

// A process of its own, forked by the measurement, so that its CPU is not counted. It ends with its parent.
const server = createServer((request, response) => {
  const { status, body } = cannedAnswer(request.method ?? '', (request.url ?? '').split('?')[0] ?? '');
  request.resume();
  request.once('end', () => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      'paypal-debug-id': 'f1e2d3c4b5a69',
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
