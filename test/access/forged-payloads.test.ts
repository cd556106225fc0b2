import { randomBytes, randomUUID } from 'node:crypto';
import { type Payload, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { EncryptingCodec } from '#payload-codec';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { unboundPayload } from '../payload-codec/earlier-payloads.js';

const key = randomBytes(32);
const codecKeys = { current: 'test', keys: new Map([['test', key]]) };

const captureOf = (type: string) => ({
  id: randomUUID(),
  event: {
    type,
    commandId: `cmd_${randomUUID()}`,
    capture: { captureId: 'CAPTURE-1', minor: 10_000, status: 'completed', final: true },
  },
});

describe('failure 33: a signal whose payload was not encrypted for this run', () => {
  const fixture = forAllTests(() => startRunFixture({ approval: 'immediate', codecKeys }));

  async function authorized(): Promise<StartedRun> {
    const run = await fixture.start();
    await run.reaches('authorized');
    return run;
  }

  const historyOf = async ({ workflowId }: StartedRun) =>
    (await fixture.temporal.workflow.getHandle(workflowId).fetchHistory()).events ?? [];

  /** Past the client and its codec: as Temporal's UI does it, or whoever reaches its port. */
  async function sendRaw({ workflowId }: StartedRun, payload: Payload): Promise<void> {
    await fixture.temporal.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      signalName: 'captureRequested',
      input: { payloads: [payload] },
    });
  }

  /** The payload of the capture that its order service has asked of a payment. */
  async function genuine(run: StartedRun): Promise<Payload> {
    await run.send({ type: 'captureRequested', commandId: `cmd_${randomUUID()}` });
    await run.reaches('captured');
    const signal = (await historyOf(run)).find(
      ({ workflowExecutionSignaledEventAttributes }) => workflowExecutionSignaledEventAttributes,
    );
    const [payload] = signal?.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [];
    return payload ?? {};
  }

  const forgeries: [string, (run: StartedRun) => Promise<Payload>][] = [
    ['the capture of another payment', async () => await genuine(await authorized())],
    ['a message in the clear', async () => defaultPayloadConverter.toPayload(captureOf('captureRequested'))],
    ['bytes', async () => ({ metadata: { encoding: Buffer.from('binary/plain') }, data: randomBytes(64) })],
    [
      'one that was encrypted before payloads were bound to their runs',
      async () =>
        unboundPayload(defaultPayloadConverter.toPayload(captureOf('captureRequested')), 'test', key),
    ],
    [
      'that the order’s own capture is due, under our key and for this run',
      async ({ workflowId }) => {
        const place = { type: 'workflow', namespace: 'default', workflowId } as const;
        const plain = defaultPayloadConverter.toPayload(captureOf('captureCameDue'));
        const [payload] = await new EncryptingCodec(codecKeys).encode([plain], place);
        return payload ?? {};
      },
    ],
  ];

  it.each(forgeries)('is ignored, and the run continues: %s', async (_what, forge) => {
    const run = await authorized();
    const payload = await forge(run);
    const before = (await historyOf(run)).length;
    await sendRaw(run, payload);
    await until(
      () => historyOf(run),
      (events) => events.slice(before).some(({ workflowTaskCompletedEventAttributes: task }) => task),
      'the signal taken',
    );
    expect((await run.snapshot()).state.status).toBe('authorized');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000']);
    await run.send({
      type: 'captureRequested',
      commandId: `cmd_${randomUUID()}`,
      minor: 2_500,
      final: false,
    });
    await run.reaches('partially_captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 2500']);
  });
});
