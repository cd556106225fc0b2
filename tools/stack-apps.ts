import { startApp } from './app-process.js';
import type { Supervisor } from './child-processes.js';
import type { DevelopmentConfig } from './development-config.js';
import type { ManagedProcess } from './managed-process.js';
import { freePort } from './ports.js';
import {
  apiEnvironment,
  sandboxEnvironment,
  workerEnvironment,
  type StackAddresses,
} from './stack-environment.js';
import type { StackOptions } from './stack-options.js';
import { allStarted } from './stack-stores.js';

interface AppsOptions {
  readonly addresses: StackAddresses;
  /** One API process per origin. */
  readonly apiUrls: readonly string[];
  readonly config: DevelopmentConfig;
}

interface Apps {
  readonly sandbox: ManagedProcess;
  readonly workers: readonly ManagedProcess[];
  readonly apis: readonly ManagedProcess[];
}

export async function startApps(
  supervisor: Supervisor,
  options: StackOptions,
  { addresses, apiUrls, config }: AppsOptions,
): Promise<Apps> {
  options.report?.('starting the payments sandbox …');
  const sandbox = await startApp(supervisor, {
    app: 'sandbox',
    name: 'sandbox',
    readyUrl: `${addresses.sandbox}/healthz`,
    env: { ...sandboxEnvironment(addresses, config), ...options.env?.sandbox },
  });
  options.report?.('starting the worker and the API …');
  const startApi = (origin: string, index: number): Promise<ManagedProcess> =>
    startApp(supervisor, {
      app: 'api',
      name: numbered('api', index),
      readyUrl: `${origin}/healthz`,
      env: { ...apiEnvironment(addresses, config, origin), ...options.env?.api },
    });
  const startWorker = (healthPort: number, index: number): Promise<ManagedProcess> =>
    startApp(supervisor, {
      app: 'worker',
      name: numbered('worker', index),
      readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
      env: { ...workerEnvironment(addresses, config, healthPort), ...options.env?.worker },
    });
  const healthPorts = await workerHealthPorts(options);
  const started = await allStarted([...healthPorts.map(startWorker), ...apiUrls.map(startApi)]);
  return { sandbox, workers: started.slice(0, healthPorts.length), apis: started.slice(healthPorts.length) };
}

async function workerHealthPorts({ workers = 1, ports }: StackOptions): Promise<number[]> {
  const free = await Promise.all(Array.from({ length: workers }, () => freePort()));
  return free.map((port, index) => (index === 0 ? (ports?.workerHealth ?? port) : port));
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
