import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { Receiver } from '#proof/faults/notifications/receiver.js';
import { Random } from '#proof/faults/random.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

async function send(url: string, id: string, signedBy = secret): Promise<number> {
  const body = JSON.stringify({
    id,
    type: 'payment.captured',
    sequence: 1,
    data: { id: 'pay_1', state: '' },
  });
  const at = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(signedBy).sign(id, at, body),
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function start(seed: string) {
  const news: string[] = [];
  const receiver = await Receiver.start(new Random(seed), ({ id }) => news.push(id));
  onTestFinished(() => receiver.close());
  receiver.expect(secret);
  return { receiver, news };
}

test('a receiver of a campaign keeps each sound delivery, tells of the first, and takes everything once it has recovered', async () => {
  const { receiver, news } = await start('seed');
  await receiver.recover();
  expect(await send(receiver.url, 'evt_1')).toBe(204);
  expect(await send(receiver.url, 'evt_1')).toBe(204);
  expect(await send(receiver.url, 'evt_2', 'whsec_bm90IHRoZSBzZWNyZXQgb2YgaXQ=')).toBe(401);
  expect(receiver.receptions.map(({ id, takenAfter }) => [id, takenAfter])).toEqual([
    ['evt_1', 1],
    ['evt_1', 2],
  ]);
  expect(news).toEqual(['evt_1']);
});

test('a receiver of a campaign refuses and breaks off as its seed says, and has not taken that', async () => {
  const { receiver } = await start('seed');
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, number) => send(receiver.url, `evt_${number}`).catch(() => 0)),
  );
  const { refused, brokenOff } = receiver.faults;
  expect(statuses.filter((status) => status === 500).length).toBe(refused);
  expect(statuses.filter((status) => status === 0).length).toBe(brokenOff);
  expect(refused * brokenOff).toBeGreaterThan(0);
});
