import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { freePort } from '#tools/ports.js';
import { startApp } from '#tools/app-process.js';
import type { Engine } from '../helpers/engine.js';

/** The worker as it is deployed: a process of its own, with a log of its own. Runs what `npm test` has built. */
export class WorkerProcess {
  private constructor(
    private readonly supervisor: Supervisor,
    private readonly child: ManagedProcess,
  ) {}

  static async start(engine: Engine, env: Readonly<Record<string, string>>): Promise<WorkerProcess> {
    const supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'worker-process-')) });
    const healthPort = await freePort();
    const child = await startApp(supervisor, {
      app: 'worker',
      name: 'worker',
      readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
      env: {
        DATABASE_URL: engine.databaseUrl,
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        TEMPORAL_TASK_QUEUE: engine.taskQueue,
        PUBLIC_URL: engine.apiUrl,
        PROVIDER_APPLICATIONS: JSON.stringify([engine.application]),
        HEALTH_PORT: String(healthPort),
        WORKFLOW_BUNDLE: inject('workflowBundle'),
        ...env,
      },
    });
    return new WorkerProcess(supervisor, child);
  }

  /** SIGSTOP: what a frozen container does. */
  pause(): void {
    this.child.pause();
  }

  resume(): void {
    this.child.resume();
  }

  /** All that it has written. */
  log(): string {
    return readFileSync(join(this.supervisor.dataFolder, 'logs/worker.log'), 'utf8');
  }

  async close(): Promise<void> {
    await this.supervisor.stopAll();
    rmSync(this.supervisor.dataFolder, { recursive: true, force: true });
  }
}
