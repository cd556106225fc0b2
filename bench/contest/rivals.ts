import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PaymentsClient } from '#payments-client';
import type { Supervisor } from '#tools/supervisor.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { Failure } from '#tools/failure.js';
import { freePort } from '#tools/ports.js';
import { projectRoot } from '#tools/project.js';
import { temporalNamespace } from '#tools/stack-environment.js';
import type { Stack } from '#tools/stack.js';

export interface Rivals {
  /** In the engine's own PostgreSQL cluster; `updates` and `dbos` write their rows there, too. */
  readonly naiveDatabase: string;
  readonly workers: Readonly<Record<RivalName, ManagedProcess>>;
  /** Where the DBOS contender takes its requests. */
  readonly dbosOrigin: string;
  /** Application of the direct calls: without a webhook, and so without deliveries. */
  readonly provider: PaymentsClient;
}

/** Starts each rival's worker, as a process and as an application at the provider, with deliveries to it. */
export async function startRivals(supervisor: Supervisor, stack: Stack): Promise<Rivals> {
  const naiveDatabase = await stack.enginePostgres.ensureDatabase('naive');
  const dbosDatabase = await stack.enginePostgres.ensureDatabase('dbos');
  const databases = { DATABASE_URL: naiveDatabase, DBOS_DATABASE_URL: dbosDatabase };
  const start = (name: RivalName) => startRival(supervisor, stack, name, databases);
  const [naive, updates, floor] = [await start('naive'), await start('updates'), await start('floor')];
  const dbos = await start('dbos');
  const credentials = await registerApplication(stack, 'direct');
  const provider = new PaymentsClient({ baseUrl: stack.addresses.sandbox, ...credentials });
  const workers = {
    naive: naive.worker,
    updates: updates.worker,
    floor: floor.worker,
    dbos: dbos.worker,
  };
  return { naiveDatabase, workers, dbosOrigin: dbos.origin, provider };
}

/** Also the name of its worker's file. */
export type RivalName = 'naive' | 'updates' | 'floor' | 'dbos';

interface StartedRival {
  readonly worker: ManagedProcess;
  readonly origin: string;
}

async function startRival(
  supervisor: Supervisor,
  stack: Stack,
  name: RivalName,
  databases: Readonly<Record<string, string>>,
): Promise<StartedRival> {
  const { clientId, clientSecret } = await registerApplication(stack, name);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const worker = await supervisor.start({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', join(projectRoot, 'dist/bench', `${name}-worker.js`)],
    workingFolder: projectRoot,
    env: {
      ...databases,
      TEMPORAL_ADDRESS: stack.addresses.temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
      CODEC_KEYS: `k1:${stack.config.codecKey}`,
      PROVIDER_URL: stack.addresses.sandbox,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      HTTP_PORT: String(port),
    },
    isReady: async () => (await fetch(origin, { signal: AbortSignal.timeout(2_000) })).ok,
  });
  const client = new PaymentsClient({ baseUrl: stack.addresses.sandbox, clientId, clientSecret });
  await client.webhooks.create({ url: `${origin}/deliveries`, eventTypes: ['*'] });
  await client.close();
  return { worker, origin };
}

async function registerApplication(stack: Stack, clientId: string) {
  const clientSecret = randomBytes(24).toString('base64url');
  const answer = await fetch(`${stack.addresses.sandbox}/admin/applications/${clientId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientSecret }),
  });
  if (!answer.ok)
    throw new Failure(`The sandbox did not take the application ${clientId}: ${answer.status}.`);
  return { clientId, clientSecret };
}
