import { randomUUID } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { usd } from '../helpers/usd.js';
import { DoubtStage } from './doubt-stage.js';

const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs: 300_000 }),
  ({ engine }) => engine.close(),
);

const runOf = (id: string, kind = 'payment') =>
  stage.engine.temporal.workflow.getHandle(`${kind}/sandbox/shop/${id}`);

async function detailsOf(id: string, kind?: string): Promise<string> {
  const { currentDetails } = await runOf(id, kind).query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  return currentDetails;
}

/** What Temporal's UI shows at the events of a run, but its start: at its timers, and at its steps. */
async function summariesOf(id: string): Promise<string[]> {
  const { events } = await runOf(id).fetchHistory();
  const { payloadCodecs, payloadConverter } = stage.engine.temporal.options.loadedDataConverter;
  const shown = (events ?? [])
    .filter(({ workflowExecutionStartedEventAttributes: start }) => !start)
    .flatMap(({ userMetadata, timerStartedEventAttributes: timer }) =>
      userMetadata?.summary ? [{ at: timer ? 'timer' : 'step', summary: userMetadata.summary }] : [],
    );
  let payloads: Payload[] = shown.map(({ summary }) => summary);
  for (const codec of payloadCodecs) payloads = await codec.decode(payloads);
  return payloads.map((payload, n) => `${shown[n]?.at}: ${payloadConverter.fromPayload<string>(payload)}`);
}

describe('Temporal’s UI', () => {
  it('names the check for which a run waits, the doubt, and the page in the console', async () => {
    await stage.tellsNothing();
    const address = await stage.lostCapture();
    const id = address.split('/').at(-1) ?? '';
    expect(
      await until(
        () => summariesOf(id),
        (all) => all.length > 0,
        'a summary',
      ),
    ).toEqual(['timer: checking capture of 40.00, 1st time']);
    const currentDetails = await detailsOf(id);
    expect(currentDetails).toMatch(
      /\*\*in doubt\*\*: capture of 40\.00, since .*, checked 0 times; a person is asked at /,
    );
    expect(currentDetails).toContain(`[In the console](${stage.engine.apiUrl}/console/payments/${id})`);
    await stage.engine.sandbox.clearFaults();
    await stage.check(address);
    // Which no timer has begun. It is in the history when the task ends, and that is after the answer.
    await until(
      () => summariesOf(id),
      (all) => all.includes('step: checking capture of 40.00, 1st time'),
      'the step to be summed up',
    );
  });

  it('leads from a refund, a plan and a payout to its page in the console', async () => {
    const { engine, subscriptions } = stage;
    const { orders } = engine;
    const { body: payment } = await orders.order({ capturePolicy: { mode: 'automatic' } });
    await orders.reaches(payment.id, 'captured');
    const { body: refund } = await orders.refund(payment.id, { amount: usd('5.00') });
    const { body: plan } = await subscriptions.plan();
    const { body: payout } = await orders.post<{ id: string }>('/v1/payouts', randomUUID(), {
      reference: 'shares-1',
      emailSubject: 'Your share',
      items: [
        { itemId: 'anna-1', receiver: { type: 'EMAIL', value: 'anna@example.com' }, amount: usd('7.50') },
      ],
    });
    for (const [kind, { id }] of Object.entries({ refund, plan, payout }))
      expect(await detailsOf(id, kind), kind).toContain(
        `[In the console](${engine.apiUrl}/console/${kind}s/${id})`,
      );
  });

  it('has nothing at the events of a usual run, whose history must stay small', async () => {
    const id = await stage.held();
    await stage.engine.orders.capture(id, { amount: usd('100.00') });
    await stage.engine.orders.reaches(id, 'captured');
    expect(await summariesOf(id)).toEqual([]);
  });
});
