import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { NotificationSender } from '#api/notifications/send-notification.js';
import { settingsOf } from '#api/notifications/usual-settings.js';

const receivers = 1_100;
const atOnce = 50;
const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const secrets = [`whsec_${Buffer.alloc(32, 'secret').toString('base64')}`];

test('receivers that hold their connections open do not delay the notifications of others', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    request.resume();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = new NotificationSender({ ...settingsOf(), allowsAnyAddress: true, resolve });
  onTestFinished(async () => {
    await sender.close();
    server.closeAllConnections();
    server.close();
  });
  const urls = Array.from({ length: receivers }, (_, n) => `http://receiver-${n}.example:${port}/`);
  const send = (url: string) => sender.send({ url, id: 'evt_1', body: '{}', secrets });
  const answers = [];
  while (urls.length > 0) answers.push(...(await Promise.all(urls.splice(0, atOnce).map(send))));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
