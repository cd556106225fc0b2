import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { inject } from 'vitest';
import { taskTimeoutMs } from '#proof/simulator/temporal/task-timeout.js';
import { connectToTemporal } from '../../helpers/temporal.js';
import { until } from '../../helpers/until.js';
import { type Chapter, Holding, type TestServer, type Reported, playScenario } from './scenario.js';

/** Of gRPC. */
const failedPrecondition = 9;
/** Longer than any wait of the probe but that for its next word. */
const nextWordMs = 100_000;

export interface RealTemporal {
  tell(chapters: readonly Chapter[]): Promise<Reported>;
  close(): Promise<void>;
}

/** The server of this test run, and workers in processes of their own. */
export async function openRealTemporal(): Promise<RealTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  const bundle = join(folder, 'bundle.js');
  const workflowsPath = join(import.meta.dirname, 'probe.workflow.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  writeFileSync(bundle, code);
  const connection = await connectToTemporal();
  const client = new Client({ connection });
  return {
    tell: async (chapters) => await tellReal(client, bundle, chapters),
    close: async () => {
      await connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function tellReal(client: Client, bundle: string, chapters: readonly Chapter[]): Promise<Reported> {
  const holding = new Holding();
  const taskQueue = `probe-${randomUUID()}`;
  const workers: ChildProcess[] = [];
  const employ = () => workers.push(newWorker(taskQueue, bundle, holding));
  employ();
  try {
    const start = { workflowId: taskQueue, taskQueue, workflowTaskTimeout: taskTimeoutMs, args: [{}] };
    await client.workflow.start('probe', start);
    const handle = client.workflow.getHandle(taskQueue);
    const testServer = testServerOf(handle, holding, () => {
      workers.pop()?.kill('SIGKILL');
      employ();
    });
    await testServer.idle();
    return await playScenario(testServer, holding, chapters);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
}

function newWorker(taskQueue: string, bundle: string, holding: Holding): ChildProcess {
  const program = join(import.meta.dirname, 'worker-process.ts');
  const worker = fork(program, [inject('temporalAddress'), taskQueue, bundle], { stdio: 'inherit' });
  worker.on('message', ({ call, word }: { call: number; word: string }) => {
    void holding.carryOut(word).then((result) => worker.connected && worker.send({ call, result }));
  });
  return worker;
}

function testServerOf(handle: WorkflowHandle, holding: Holding, killWorker: () => void): TestServer {
  return {
    tell: async (word) => await handle.signal('told', word),
    ask: async (word) => await answerTo(handle, word),
    begun: async (word, times) => await holding.until(() => holding.times(word) >= times),
    release: (word) => holding.release(word),
    idle: async () => {
      await until(
        () => handle.fetchHistory(),
        ({ events }) => {
          const timer = events?.at(-1)?.timerStartedEventAttributes;
          return Number(timer?.startToFireTimeout?.seconds ?? 0) * 1_000 >= nextWordMs;
        },
        'the run to wait for its next word',
      );
    },
    killWorker: async () => killWorker(),
    sleep: async (ms) => await sleep(ms),
    result: async () => (await handle.result()) as readonly string[],
    failures: async () => await failuresIn(handle),
  };
}

async function answerTo(handle: WorkflowHandle, word: string): Promise<string> {
  try {
    await handle.executeUpdate('asked', { args: [word], updateId: word });
    return 'taken';
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    if (cause instanceof ApplicationFailure) return cause.type ?? 'refused';
    // "Unable to perform workflow execution update due to unexpected workflow task failure": nobody has it any more.
    if ((cause as { readonly code?: unknown } | undefined)?.code === failedPrecondition) return 'lost';
    if (error instanceof WorkflowNotFoundError) return 'closed';
    throw error;
  }
}

/** Of this run and of those that went on from it. */
async function failuresIn(handle: WorkflowHandle): Promise<number> {
  let failures = 0;
  const { client, workflowId } = handle;
  let runId: string | undefined = await firstRunOf(handle);
  while (runId) {
    const { events } = await client.getHandle(workflowId, runId).fetchHistory();
    failures += (events ?? []).filter(
      (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes,
    ).length;
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
  return failures;
}

async function firstRunOf(handle: WorkflowHandle): Promise<string | undefined> {
  const { events } = await handle.fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? undefined;
}
