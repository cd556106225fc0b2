import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { acceptPayout } from '#database/subjects';
import { payoutRecords, writeTransition } from '#database/transitions';
import { journalWebhookEvent } from '#database/events';
import { Runs } from '#runs';
import { EventDispatch } from '#webhook-inbox';
import { workflowIdOf } from '#workflows/contract';
import type { PayoutState, PayoutStatus } from '#workflows/lifecycle/payout';
import { eventRow, newId, useEngineDatabase, owner } from '../database/engine-database.js';
import { nobodyBearsItsReference } from '../helpers/accept-request.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { useTemporal } from './api-fixture.js';

const engine = useEngineDatabase();
const temporal = useTemporal();

const taskQueue = 'nobody-polls';

/** The run of what it tells has ended by the time that the message comes. */
class EndingRuns extends Runs {
  constructor(
    client: Client,
    private readonly end: () => Promise<void>,
  ) {
    super(client, { taskQueue, deadlineMs: 5_000 });
  }

  override async signal(...reported: Parameters<Runs['signal']>): Promise<boolean> {
    await this.end();
    return await super.signal(...reported);
  }
}

/** As its run writes it. */
async function stands(id: string, status: PayoutStatus, version: number): Promise<void> {
  const subject = { ...owner, id };
  const state: PayoutState = { ...payout(status), providerBatchId: `BATCH-${id}` };
  await writeTransition(engine.db, { records: payoutRecords, subject, state, version, timeline: [] });
}

test('an event is read by another run when the payout’s own run ends just before the signal', async () => {
  const id = `po_${newId('x').slice(2)}`;
  const command = { ...owner, id: `${id}:order`, idempotencyKey: id, bodyHash: '', kind: 'create' as const };
  await acceptPayout(
    engine.db,
    { ...command, subjectId: id, parameters: {}, requestedBy: 'test' },
    { state: payout('creating'), sealedLetters: Buffer.from('sealed'), items: [] },
    nobodyBearsItsReference,
  );
  await stands(id, 'settling', 2);
  const event = await journalWebhookEvent(engine.db, {
    ...owner,
    eventId: newId('WH'),
    eventType: 'PAYMENT.PAYOUTS-ITEM.RETURNED',
    resource: { kind: 'payout_item', id: 'ITEM-1', state: 'RETURNED' },
    resourceIds: ['ITEM-1', `BATCH-${id}`],
    payload: {},
  });
  const runs = new EndingRuns(temporal, async () => await stands(id, 'completed', 3));
  await new EventDispatch(engine.db, runs).dispatch(event.id);
  expect(await eventRow(engine.db, event.id)).toMatchObject({ status: 'applied', subject_id: id });
  const run = temporal.workflow.getHandle(workflowIdOf({ ...owner, id }));
  expect((await run.describe()).status.name).toBe('RUNNING');
  await run.terminate();
});
