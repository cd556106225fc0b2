import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CommandResult, CommandStatus } from '#database/schema/schema.js';
import { forAllTests } from '../helpers/shared.js';
import {
  ApiFixture,
  authorizedState,
  closedAddress,
  useTemporal,
  runIdOf,
  signalsOf,
  temporalAt,
} from './api-fixture.js';
import { usd } from '../helpers/usd.js';

const api = forAllTests(() => ApiFixture.start());
const cutOff = forAllTests(() =>
  ApiFixture.start({ databaseUrl: api.databaseUrl, temporal: temporalAt(closedAddress) }),
);
const temporal = useTemporal();

async function capture(id: string, body: unknown = {}, idempotencyKey: string = randomUUID(), from = api) {
  return await from.call('POST', `/v1/payments/${id}/captures`, { body, idempotencyKey });
}

async function settleCommand(key: string, status: CommandStatus, result: CommandResult): Promise<void> {
  await api.db
    .updateTable('commands')
    .set({ status, result: JSON.stringify(result) })
    .where('idempotency_key', '=', key)
    .execute();
}

async function commandsOf(id: string) {
  return await api.db
    .selectFrom('commands')
    .selectAll()
    .where('subject_id', '=', id)
    .where('kind', '<>', 'create')
    .execute();
}

describe('a capture', () => {
  test('is committed, sent to the run, and answered with 202 while no worker runs', async () => {
    const id = await api.paymentWith(authorizedState());
    const answer = await capture(id, { amount: usd('40.00'), final: false });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      state: 'accepted',
      capture: null,
      payment: { id, state: 'authorized' },
    });
    const [command] = await commandsOf(id);
    expect(command).toMatchObject({
      id: answer.body['id'],
      status: 'accepted',
      parameters: { minor: 4_000, final: false },
      requested_by: 'api-key:shop',
    });
    expect(await signalsOf(temporal, id)).toEqual([`captureRequested ${command!.id}`]);
  });

  test('without a body takes all that is left', async () => {
    const id = await api.paymentWith(authorizedState());
    const answer = await api.call('POST', `/v1/payments/${id}/captures`, { idempotencyKey: randomUUID() });
    expect(answer.status).toBe(202);
    expect((await commandsOf(id))[0]?.parameters).toEqual({});
  });

  test.each([
    ['another currency', { amount: { value: '10', currency: 'EUR' } }, '/amount/currency'],
    ['too many decimals', { amount: usd('0.001') }, '/amount/value'],
    ['more than is left', { amount: usd('100.01') }, '/amount'],
    ['a surplus field', { ammount: usd('1') }, '/ammount'],
    ['a word for final', { final: 'yes' }, '/final'],
  ])(
    'of %s is refused with the name of the field, and the run gets no signal',
    async (_case, body, pointer) => {
      const id = await api.paymentWith(authorizedState());
      const answer = await capture(id, body);
      expect(answer.status).toBe(422);
      expect(answer.body['errors']).toMatchObject([{ pointer }]);
      expect((await commandsOf(id)).filter(({ status }) => status !== 'refused')).toEqual([]);
      expect(await signalsOf(temporal, id)).toEqual([]);
    },
  );

  test.each(['creating', 'awaiting_approval', 'capturing', 'captured', 'voided', 'expired'] as const)(
    'of a payment that is %s is refused with 409 and the state',
    async (status) => {
      const id = await api.paymentWith({ ...authorizedState(), status });
      const answer = await capture(id);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        type: 'urn:payments:problem:conflict',
        code: 'not_allowed_in_state',
        currentState: status,
        allowedActions: status === 'awaiting_approval' ? ['cancel'] : [],
      });
      expect(await commandsOf(id)).toMatchObject([{ status: 'refused' }]);
      expect(await signalsOf(temporal, id)).toEqual([]);
    },
  );

  test('after the capture window has passed is refused with 409', async () => {
    const id = await api.paymentWith(authorizedState(Date.now() - 30 * 24 * 3_600_000));
    expect((await capture(id)).status).toBe(409);
  });

  test('whose run is lost stays accepted until a new run is signalled, or is refused when the payment has ended', async () => {
    const id = await api.paymentWith(authorizedState());
    await temporal.workflow.getHandle(runIdOf(id)).terminate();
    const key = randomUUID();
    expect((await capture(id, {}, key)).status).toBe(202);
    expect(await commandsOf(id)).toMatchObject([{ status: 'accepted' }]);

    await api.moveTo(id, { status: 'voided', released: true });
    for (const answer of [await capture(id, {}, key), await capture(id, {}, key)]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ detail: 'It has ended.' });
    }
    expect(await commandsOf(id)).toMatchObject([{ status: 'refused' }]);
  });

  test('that Temporal did not take is answered 503 and is sent when it is repeated', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    const refused = await capture(id, {}, key, cutOff);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    const accepted = await capture(id, {}, key);
    expect(accepted.status).toBe(202);
    expect(await commandsOf(id)).toHaveLength(1);
    expect(await signalsOf(temporal, id)).toEqual([`captureRequested ${String(accepted.body['id'])}`]);
  });
});

describe('a repeated capture is answered from its command’s row', () => {
  test('201 when it succeeded, even if the payment would refuse a new one', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    const { body } = await capture(id, {}, key);
    const commandId = String(body['id']);
    await settleCommand(key, 'succeeded', { captureId: 'CAP-1', captureStatus: 'completed' });
    await api.moveTo(id, {
      status: 'captured',
      captures: [{ captureId: 'CAP-1', commandId, minor: 10_000, status: 'completed', final: true }],
    });
    const again = await capture(id, {}, key);
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({
      id: commandId,
      state: 'succeeded',
      capture: { id: 'CAP-1', amount: usd('100.00'), state: 'completed', final: true },
      payment: { state: 'captured', amounts: { captured: usd('100.00'), capturable: usd('0.00') } },
    });
    expect(await signalsOf(temporal, id)).toHaveLength(1);
  });

  test('402 with the provider’s reason when it was declined', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    await capture(id, {}, key);
    await settleCommand(key, 'failed', { code: 'provider_refused', reason: 'INSTRUMENT_DECLINED' });
    const again = await capture(id, {}, key);
    expect(again.status).toBe(402);
    expect(again.body).toMatchObject({
      type: 'urn:payments:problem:payment-declined',
      code: 'provider_refused',
      detail: 'INSTRUMENT_DECLINED',
      currentState: 'authorized',
    });
  });

  test('409 when the run refused it because another command was first', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    await capture(id, {}, key);
    await settleCommand(key, 'refused', { code: 'not_allowed_in_state', reason: 'voiding' });
    await api.moveTo(id, { status: 'voiding' });
    const again = await capture(id, {}, key);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ currentState: 'voiding' });
  });

  test('409 for another amount, another payment or a void under its key', async () => {
    const id = await api.paymentWith(authorizedState());
    const other = await api.paymentWith(authorizedState());
    const key = randomUUID();
    await capture(id, { amount: usd('1.00') }, key);
    expect((await capture(id, { amount: usd('2.00') }, key)).status).toBe(409);
    expect((await capture(other, { amount: usd('1.00') }, key)).status).toBe(409);
    const asVoid = await api.call('POST', `/v1/payments/${id}/void`, { idempotencyKey: key });
    expect(asVoid.status).toBe(409);
    expect(asVoid.body).toMatchObject({ type: 'urn:payments:problem:idempotency-key-reused' });
    expect(await signalsOf(temporal, other)).toEqual([]);
  });
});

describe('a void', () => {
  test('is sent to the run once per key, however often it is repeated, and once more under another key', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.call('POST', `/v1/payments/${id}/void`, { idempotencyKey: key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    const commands = await commandsOf(id);
    expect(commands).toHaveLength(1);
    // Repeats carry the same message id: the run takes the first and knows the rest.
    expect(new Set(await signalsOf(temporal, id))).toEqual(new Set([`voidRequested ${commands[0]!.id}`]));
  });

  test('of a part is refused: an authorization is voided as a whole', async () => {
    const id = await api.paymentWith(authorizedState());
    const answer = await api.call('POST', `/v1/payments/${id}/void`, {
      body: { amount: usd('10.00') },
      idempotencyKey: randomUUID(),
    });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ pointer: '/amount' }]);
  });

  test('that succeeded is 200 with the payment', async () => {
    const id = await api.paymentWith(authorizedState());
    const key = randomUUID();
    await api.call('POST', `/v1/payments/${id}/void`, { body: {}, idempotencyKey: key });
    await settleCommand(key, 'succeeded', {});
    await api.moveTo(id, { status: 'voided', released: true });
    const again = await api.call('POST', `/v1/payments/${id}/void`, { body: {}, idempotencyKey: key });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id, state: 'voided', allowedActions: [] });
  });
});
