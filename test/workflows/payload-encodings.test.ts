import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { historyText } from '../helpers/history-text.js';
import { forAllTests } from '../helpers/shared.js';
import { type StartedRun, randomCodecKeys, startRunFixture } from './payment-run.js';

const earlier = { ...randomCodecKeys(), encoding: 'binary/sealed' } as const;
const short = { ...earlier, encoding: 'sealed/2' } as const;
// Its client writes as the API of the first step does.
const fixture = forAllTests(() => startRunFixture({ codecKeys: earlier }));

/** The encodings in the history of a run, and how many of its tasks have failed. */
async function seenIn({ workflowId }: StartedRun) {
  const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  const text = historyText(events);
  return {
    encodings: [short.encoding, earlier.encoding].filter((encoding) => text.includes(encoding)),
    failed: (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => failed).length,
  };
}

it('a run is carried on by workers that write another encoding, and by those before them again', async () => {
  const run = await fixture.start();
  await run.reaches('awaiting_approval');
  expect(await seenIn(run)).toEqual({ encodings: ['binary/sealed'], failed: 0 });

  const second = await fixture.startWorker({ codecKeys: short });
  await fixture.worker.close();
  await run.approve();
  await run.reaches('authorized');
  expect(await seenIn(run)).toEqual({ encodings: ['sealed/2', 'binary/sealed'], failed: 0 });

  await fixture.startWorker();
  await second.close();
  await run.send({ type: 'captureRequested', commandId: randomUUID() });
  await run.reaches('captured');
  expect(await seenIn(run)).toMatchObject({ failed: 0 });
  expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
});
