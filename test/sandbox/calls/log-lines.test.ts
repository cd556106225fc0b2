import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { beginCall, exchangeOf } from '#sandbox/calls/begin-call.js';
import { CallLog } from '#sandbox/calls/call-log.js';
import type { Operation } from '#sandbox/http/operations.js';
import { openDatabase } from '#sandbox/database/connect.js';
import { createSandboxDatabase } from '../../helpers/database.js';

const SECRET = 'a-secret-that-nobody-guesses';

it('log lines contain nothing about a call that moves money that its history would not keep', async () => {
  const test = await createSandboxDatabase();
  const database = await openDatabase(test.url, 2, pino({ level: 'silent' }));
  const lines: string[] = [];
  const log = new CallLog(database, pino({}, { write: (line: string) => lines.push(line) }));
  const app = fastify();
  app.post<{ Querystring: { operation: Operation } }>('/*', async (request, reply) => {
    const call = { ...beginCall(request, request.query.operation), clientId: 'shop' };
    log.begin(call);
    log.logBegin(call);
    log.finish(call, 200, new Date(), exchangeOf(request, reply, null, null));
    return {};
  });
  const post = (path: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: path, headers });

  const basic = Buffer.from(`shop:${SECRET}`).toString('base64');
  await post('/v1/oauth2/token?operation=token', { authorization: `Basic ${basic}` });
  const token = 'A21AAplantedplantedplanted';
  const void_ = '/v1/payments/authorization/7/void?operation=authorization.void';
  for (const requestId of [
    'key-9',
    'anna@example.com 4111111111111111',
    `again ${SECRET}`,
    token,
    // Whoever cut it first would let most of a card's number stand.
    `${'x'.repeat(63)} 4111111111111111`,
  ])
    await post(void_, { authorization: `Bearer ${token}`, 'paypal-request-id': requestId });

  const said = lines.join('');
  for (const planted of ['anna', '411111', SECRET, token]) expect(said).not.toContain(planted);
  const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const kept = ['key-9', '[e-mail] [card number]', 'again [redacted]', '[redacted]'];
  expect(seen.slice(0, 8).map(({ requestId }) => requestId)).toEqual(kept.flatMap((one) => [one, one]));
  expect(seen.map(({ msg }) => msg).slice(0, 2)).toEqual(['money call begins', 'money call ends']);

  await log.close();
  await app.close();
  await database.destroy();
  await test.drop();
});
