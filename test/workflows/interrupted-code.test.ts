import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { until } from '../helpers/until.js';
import { type RunFixture, startRunFixture } from './payment-run.js';

/** The SDK interrupts workflow code after five seconds, unless it is told otherwise; a workflow task may take twenty. */
const pausedMs = 7_000;

let fixture: RunFixture;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
  fixture = await startRunFixture({ approval: 'immediate' });
  await fixture.worker.close();
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

/*
 * All runs of a worker share one V8 context. If the SDK interrupts the code of one run, what that run still had to do is
 * done when the next run's code is called, and its commands become the other run's.
 */
it('a machine that pauses in the middle of workflow code fails no workflow task, and the run goes on', async () => {
  await fixture.startWorker({ workflowBundle: await bundleThatPauses() });
  const run = await fixture.start();
  await run.reaches('authorized');
  await run.send({ type: 'captureRequested', commandId: 'cmd_1' });
  const { failedTasks, books } = await until(
    async () => ({
      failedTasks: await failedTasksOf(run.workflowId),
      books: await fixture.sandbox.booksOf(run.identity.paymentId),
    }),
    (seen) => seen.failedTasks > 0 || seen.books.length > 1,
    'the capture, or a failed workflow task',
  );
  expect({ failedTasks, books }).toEqual({ failedTasks: 0, books: ['hold 10000', 'capture 10000'] });
  await fixture.temporal.workflow.getHandle(run.workflowId).result();
  expect(await failedTasksOf(run.workflowId)).toBe(0);
});

it('a worker keeps no stack traces of the promises of its runs', async () => {
  const worker = await fixture.startWorker();
  const run = await fixture.start();
  await run.reaches('authorized');
  const waiting = await fixture.temporal.workflow.getHandle(run.workflowId).query<string>('__stack_trace');
  expect(waiting).toBe('');
  await worker.close();
});

async function failedTasksOf(workflowId: string): Promise<number> {
  const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
}

/** @returns the path of the workflows' code, which is busy for a while once a capture was asked for. */
async function bundleThatPauses(): Promise<string> {
  const code = await readFile(inject('workflowBundle'), 'utf8');
  const taken = 'const effect = this.position.advance(event, at);';
  expect(code.split(taken)).toHaveLength(2);
  const clock =
    'const { now } = (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.workflowInfo)().unsafe;';
  const busy = `const begun = now(); while (now() < begun + ${pausedMs});`;
  const pause = `if (event.type === 'captureRequested') { ${clock} ${busy} }`;
  const bundle = join(folder, 'bundle.js');
  await writeFile(bundle, code.replace(taken, taken + pause));
  return bundle;
}
