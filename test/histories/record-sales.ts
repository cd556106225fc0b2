import { afterEach, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type RunFixture, type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Of each state that only a sale can wait in, and each end, one real history beside those of holds. */
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
afterEach(async () => {
  await fixture.sandbox.clearFaults();
  await fixture.sandbox.configure({});
});

const store = (name: string, { workflowId }: StartedRun) =>
  storeHistory(fixture.temporal, `payment/${name}`, workflowId);

async function approved(...[order, ...rest]: Parameters<RunFixture['start']>): Promise<StartedRun> {
  const run = await fixture.start({ intent: 'sale', ...order }, ...rest);
  await run.approve();
  return run;
}

const onExecution = (fault: Record<string, unknown>) =>
  fixture.sandbox.fault({ clientId: fixture.sandbox.clientId, operation: 'payment.execute', ...fault });

it('records sales that have ended', async () => {
  const completed = await approved();
  await completed.reaches('completed');
  await store('sale-completed', completed);

  await onExecution({ kind: 'pending', settlesAs: 'denied', afterMs: 500 });
  const denied = await approved();
  await denied.reaches('declined');
  await store('sale-denied', denied);
});

it('records sales that are still pending at the provider, one of them continued as new', async () => {
  await fixture.sandbox.configure({ saleOutcome: 'pending_then_completed', saleSettleMs: 3_600_000 });
  const pending = await approved();
  await pending.reaches('pending');
  await store('sale-pending', pending);

  const continued = await approved({}, { messagesPerRun: 2 });
  await continued.reaches('pending');
  await continued.send({ type: 'providerNotified', eventType: 'TEST' });
  await until(() => continued.snapshot(), ({ waitingMessages }) => waitingMessages === 0, 'the message to be taken');
  await store('sale-continued-as-new', continued);
});

it('records sales whose execution is in doubt, or under review', async () => {
  const { clientId } = fixture.sandbox;
  await onExecution({ kind: 'drop_reply', times: null });
  await fixture.sandbox.fault({
    clientId,
    operation: 'payment.get',
    kind: 'status',
    status: 503,
    times: null,
  });
  const doubtful = await approved();
  await until(() => doubtful.snapshot(), ({ state }) => state.openStep?.phase === 'doubt', 'doubt', 60_000);
  await store('sale-executing-in-doubt', doubtful);

  const reviewed = await approved({ patience: { ...testWaitPolicy, reviewAfterMs: 1 } });
  await reviewed.reaches('needs_review');
  await store('sale-needs-review', reviewed);
});
