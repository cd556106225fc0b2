import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acceptCommand } from '#database/commands';
import { notePayerCancelled } from '#database/subjects';
import { paymentWorkflowId } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { authorizedPayment, timelineOf } from './payment-rows.js';

const engine = forAllTests(() => startEngine({ reconciles: 'often' }));

const owner = { environment: 'sandbox', application: 'shop' };

const authorized = () => authorizedPayment(engine);

/** As after a restore that has lost the row, or from somebody who can write to Temporal. */
async function sendRaw(id: string, type: string, key: string): Promise<void> {
  const named = JSON.stringify([owner.environment, owner.application, key]);
  const commandId = `cmd_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
  await engine.temporal.workflow
    .getHandle(paymentWorkflowId({ ...owner, paymentId: id }))
    .signal(type, { id: commandId, event: { type, commandId } });
  await until(
    () => timelineOf(engine, id),
    (events) => events.includes(type),
    'the message to be refused',
  );
}

describe('a request whose message came before its row', () => {
  it('is carried out once, when its row is there', async () => {
    const { id } = await authorized();
    const key = randomUUID();
    await sendRaw(id, 'captureRequested', key);
    await engine.orders.capture(id, {}, key);
    await engine.orders.reaches(id, 'captured');
    expect((await engine.orders.capture(id, {}, key)).status).toBe(201);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is carried out although the state at that time refused it', async () => {
    const { id } = await authorized();
    const key = randomUUID();
    await sendRaw(id, 'releaseRequested', key);
    await engine.orders.capture(id, { amount: { value: '40.00', currency: 'USD' } });
    await engine.orders.reaches(id, 'partially_captured');
    await engine.orders.release(id, key);
    await engine.orders.reaches(id, 'captured');
    expect((await engine.orders.release(id, key)).status).toBe(200);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
  });
});

describe('a command that its run never received', () => {
  it('is carried out', async () => {
    const { id } = await authorized();
    // As an API process leaves it that dies between the commit and the signal.
    await acceptCommand(engine.db, {
      ...owner,
      id: `cmd_forgotten_${id}`,
      idempotencyKey: `forgotten-${id}`,
      bodyHash: '',
      kind: 'void',
      subjectId: id,
      parameters: {},
      requestedBy: 'test',
    });
    await engine.orders.reaches(id, 'voided');
  });
});

describe('a payer’s cancellation that its run never received', () => {
  it('is carried out', async () => {
    const { id } = (await engine.orders.order()).body;
    // As an API process leaves it that dies between the commit and the signal.
    await notePayerCancelled(engine.db, 'payments', id);
    await engine.orders.reaches(id, 'cancelled');
  });
});
