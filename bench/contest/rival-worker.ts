import { once } from 'node:events';
import { createServer } from 'node:http';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { readEnvironment } from '#configuration';
import type { PaymentsClient } from '#payments-client';
import { type RivalEnvironment, providerOf, rivalEnvironment } from './rival-environment.js';

/** What a rival brings of its own. */
export type RivalDesign = Pick<WorkerOptions, 'taskQueue' | 'workflowsPath' | 'activities' | 'dataConverter'>;

/**
 * Runs a rival's worker in this process until SIGTERM, tuned as the engine's own worker is.
 *
 * It receives the provider's deliveries and ignores them, so that the provider does the same work for every contender.
 */
export async function runRivalWorker(
  design: (environment: RivalEnvironment, provider: PaymentsClient) => RivalDesign | Promise<RivalDesign>,
): Promise<void> {
  const environment = readEnvironment(rivalEnvironment, process.env);
  const provider = providerOf(environment);
  Runtime.install({ shutdownSignals: [] });
  const worker = await Worker.create({
    ...(await design(environment, provider)),
    connection: await NativeConnection.connect({ address: environment.TEMPORAL_ADDRESS }),
    namespace: environment.TEMPORAL_NAMESPACE,
    shutdownGraceTime: '5 seconds',
    maxConcurrentLocalActivityExecutions: 50,
    maxConcurrentWorkflowTaskExecutions: 50,
    maxCachedWorkflows: 2_000,
  });
  const running = worker.run();
  await listen(environment.HTTP_PORT);
  process.once('SIGTERM', () => worker.shutdown());
  await running;
  process.exit();
}

async function listen(port: number): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
