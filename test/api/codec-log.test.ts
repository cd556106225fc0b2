import { pino } from 'pino';
import { type Payload, defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import { CodecController } from '#api/codec/codec.controller.js';
import { toWire } from '#api/codec/wire-payloads.js';
import type { CodecSessionRow } from '#database/access';
import { EncryptingCodec } from '#payload-codec';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, codecKeys, configuration } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

/** As a run of this application would have stored it. */
async function stored(application = 'shop'): Promise<Payload> {
  const workflowId = `payment/sandbox/${application}/pay_1`;
  const place = { type: 'workflow', namespace: 'default', workflowId } as const;
  const plain = defaultPayloadConverter.toPayload({ payee: 'somebody' });
  return (await new EncryptingCodec(codecKeys).encode([plain], place))[0]!;
}

test('the log says which runs were asked for, by whom, and nothing of what they hold', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(line) });
  const controller = new CodecController(configuration(api.databaseUrl), api.db, logger);
  const { body } = await api.call('POST', '/v1/codec-sessions');
  const id = String(body['id']);
  const session = (await api.db
    .selectFrom('codec_sessions' as never)
    .selectAll()
    .where('id' as never, '=', id as never)
    .executeTakeFirstOrThrow()) as CodecSessionRow;
  await controller.decode(session, toWire([await stored(), await stored(), await stored('bookshop')]));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      session: id,
      key: 'shop',
      payloads: 3,
      runs: ['payment/sandbox/shop/pay_1', 'payment/sandbox/bookshop/pay_1'],
    },
  ]);
  expect(lines.join()).not.toContain('somebody');
});
