import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it } from 'vitest';
import { reconciliationWorkflowType, type ReconciledApplication } from '#workflows/contract';
import { connectToTemporal } from '../helpers/temporal.js';

const applications = [
  { environment: 'sandbox', application: 'hanging' },
  { environment: 'sandbox', application: 'prompt' },
];

const done = () => Promise.resolve();

it('a provider that hangs delays no later round of another application, and is not asked twice', async () => {
  const rounds = new Map<string, number>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reconcileEvents = async ({ application }: ReconciledApplication): Promise<void> => {
    rounds.set(application, (rounds.get(application) ?? 0) + 1);
    if (application === 'hanging') await released;
  };
  const taskQueue = `rounds-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundle') },
    activities: {
      listApplications: () => Promise.resolve(applications),
      reconcileRuns: done,
      reconcileEvents,
      reconcilePayments: done,
    },
  });
  const temporal = new Client({ connection: await connectToTemporal() });
  await worker.runUntil(async () => {
    for (const round of [1, 2, 3]) {
      const workflowId = `${taskQueue}/round-${round}`;
      await temporal.workflow.execute(reconciliationWorkflowType, { workflowId, taskQueue, args: [] });
      expect(Object.fromEntries(rounds)).toEqual({ hanging: 1, prompt: round });
    }
    release();
    const hung = temporal.workflow.getHandle(`${taskQueue}/reconciliation/sandbox/hanging`);
    await hung.result();
  });
  await temporal.connection.close();
  await connection.close();
});
