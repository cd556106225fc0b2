import { createHash, randomBytes } from 'node:crypto';
import { ApiProcess } from '../api/api-process.js';
import { WorkerProcess } from '../e2e/worker-process.js';
import { type Engine, type EngineOptions, startEngine } from '../helpers/engine.js';
import { OrderService } from '../helpers/order-service.js';
import { freePort } from '#tools/ports.js';

/** An API and a worker as they are deployed, watched; the provider reaches them through that API. */
export interface ObservedEngine {
  readonly engine: Engine;
  readonly orders: OrderService;
  readonly api: ApiProcess;
  readonly worker: WorkerProcess;
  readonly metrics: { readonly api: string; readonly worker: string };
  readonly apiKey: string;
  /** A worker in the place of one that was closed, with other variables. */
  startWorker(more: Variables): Promise<WorkerProcess>;
  closeWorkers(): Promise<void>;
  close(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

export async function startObserved(
  env: Variables,
  options: Pick<EngineOptions, 'through' | 'webhookAuthentication'> = {},
  ofApi: (engine: Engine) => Promise<Variables> = async () => await Promise.resolve({}),
): Promise<ObservedEngine> {
  const engine = await startEngine({ withWorker: false, ...options });
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const apiKey = randomBytes(24).toString('hex');
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  const api = await ApiProcess.start({
    databaseUrl: engine.databaseUrl,
    applications: [engine.application],
    env: {
      ...engine.apiVariables,
      API_KEYS: JSON.stringify([{ id: 'shop', sha256, environment: 'sandbox', application: 'shop' }]),
      METRICS_PORT: String(apiPort),
      ANSWER_WITHIN_MS: '60000',
      NOTIFICATION_ADDRESSES: 'any',
      ...env,
      ...(await ofApi(engine)),
    },
  });
  const workers: WorkerProcess[] = [];
  const startWorker = async (more: Variables) => {
    const worker = await WorkerProcess.start(engine, {
      ...engine.apiVariables,
      PUBLIC_URL: api.url,
      WORKER_METRICS_PORT: String(workerPort),
      ...env,
      ...more,
    });
    workers.push(worker);
    return worker;
  };
  const closeWorkers = async () => {
    for (const each of workers.splice(0)) await each.close();
  };
  const worker = await startWorker({});
  return {
    engine,
    orders: new OrderService(api.url, apiKey),
    api,
    worker,
    apiKey,
    startWorker,
    closeWorkers,
    metrics: {
      api: `http://127.0.0.1:${apiPort}/metrics`,
      worker: `http://127.0.0.1:${workerPort}/metrics`,
    },
    close: async () => {
      await closeWorkers();
      await api.close();
      await engine.close();
    },
  };
}

export async function scrape(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { connection: 'close' } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return await answer.text();
}
