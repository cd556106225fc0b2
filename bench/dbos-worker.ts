import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { z } from 'zod';
import { readEnvironment } from '#configuration';
import { providerOf, rivalEnvironment } from './contest/rival-environment.js';
import { type DbosEvent, type DbosRequest, registerDbosPayment } from './dbos/dbos-payment.js';
import { openNaiveActivities } from './naive/naive-activities.js';
import type { NaiveOrder } from './naive/naive-contract.js';

const answeredWithinSeconds = 60;

const environment = readEnvironment(rivalEnvironment.extend({ DBOS_DATABASE_URL: z.string() }), process.env);
const activities = await openNaiveActivities(
  environment.DATABASE_URL,
  providerOf(environment),
  () => `${DBOS.workflowID}-${DBOS.stepID}`,
);
const payment = registerDbosPayment(activities);
DBOS.setConfig({
  name: 'bench',
  applicationVersion: 'bench',
  systemDatabaseUrl: environment.DBOS_DATABASE_URL,
  systemDatabasePoolSize: 20,
  logLevel: 'error',
});
await DBOS.launch();

const server = createServer((request, response) => {
  answer(request)
    .then((text) => response.end(text))
    .catch((error: unknown) =>
      response.writeHead(500).end(error instanceof Error ? error.message : 'failed'),
    );
});
server.listen(environment.HTTP_PORT, '127.0.0.1');
await once(server, 'listening');
process.once('SIGTERM', () => void DBOS.shutdown().then(() => process.exit()));

async function answer(request: IncomingMessage): Promise<string> {
  const path = request.url ?? '';
  if (request.method !== 'POST') return '';
  const body = await json(request);
  // It ignores the provider's deliveries, as the other rivals do.
  if (path === '/deliveries') return '';
  if (path === '/payments') {
    const order = body as NaiveOrder;
    await DBOS.startWorkflow(payment, { workflowID: order.paymentId })(order);
    return await happened(order.paymentId, 'created');
  }
  const {
    request: topic,
    event,
    message,
  } = body as { request: DbosRequest; event: DbosEvent; message: string };
  const id = path.slice('/payments/'.length);
  await DBOS.send(id, message, topic);
  return await happened(id, event);
}

async function happened(id: string, event: DbosEvent): Promise<string> {
  const value = await DBOS.getEvent<string>(id, event, answeredWithinSeconds);
  if (value === null) throw new Error(`a payment was not ${event} in time`);
  return value;
}
