import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  type ReconciledApplication,
  reconciliationIdOf,
  reconciliationRoundWorkflowType,
} from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { connectToTemporal } from '../helpers/temporal.js';

const named = (application: string) => ({ environment: 'sandbox', application });
const [hanging, failing, prompt] = [named('hanging'), named('failing'), named('prompt')];
const taskQueue = `rounds-${randomUUID()}`;

let temporal: Client;
const connection = forAllTests(() => NativeConnection.connect({ address: inject('temporalAddress') }));
beforeAll(async () => {
  temporal = new Client({ connection: await connectToTemporal() });
});
afterAll(async () => {
  await temporal.connection.close();
});

const done = () => Promise.resolve();
const ended = async (of: ReconciledApplication) => {
  await temporal.workflow.getHandle(reconciliationIdOf(taskQueue, of)).result();
};

async function execute(workflowType: string, workflowId: string): Promise<void> {
  await temporal.workflow.execute(workflowType, { workflowId, taskQueue, args: [] });
}

async function whileWorking(
  reconcileEvents: (of: ReconciledApplication) => Promise<void>,
  act: () => Promise<void>,
): Promise<void> {
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundle') },
    activities: {
      listApplications: () => Promise.resolve([hanging, failing, prompt]),
      reconcileRuns: done,
      reconcileEvents,
      reconcilePayments: done,
    },
  });
  await worker.runUntil(act);
}

it('a provider that hangs, or fails, delays no later round of another application, and is not asked twice', async () => {
  const rounds = new Map<string, number>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reconcileEvents = async ({ application }: ReconciledApplication): Promise<void> => {
    rounds.set(application, (rounds.get(application) ?? 0) + 1);
    if (application === failing.application) throw ApplicationFailure.nonRetryable('away');
    if (application !== hanging.application) return;
    begin();
    await released;
  };
  await whileWorking(reconcileEvents, async () => {
    for (const nth of [1, 2, 3]) {
      await execute(reconciliationRoundWorkflowType, `${taskQueue}/${nth}`);
      await ended(prompt);
      await expect(ended(failing)).rejects.toThrow();
      await begun;
      expect(Object.fromEntries(rounds)).toEqual({ hanging: 1, failing: nth, prompt: nth });
    }
    release();
    await ended(hanging);
  });
});

it('a run that began when one run reconciled all applications still does so', async () => {
  const reconciled = new Set<string>();
  const reconcileEvents = ({ application }: ReconciledApplication): Promise<void> => {
    reconciled.add(application);
    return done();
  };
  await whileWorking(reconcileEvents, () => execute('reconciliationWorkflow', `${taskQueue}/old`));
  expect([...reconciled].toSorted()).toEqual(['failing', 'hanging', 'prompt']);
});
