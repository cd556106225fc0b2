import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ServedApplication } from '#configuration';
import { Supervisor } from '#tools/supervisor.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { freePort } from '#tools/ports.js';
import { startApp } from '#tools/app-process.js';

interface ApiProcessOptions {
  readonly databaseUrl: string;
  readonly applications: readonly ServedApplication[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The API as it is deployed: a process of its own, which can be measured and killed. Runs what `npm test` has built. */
export class ApiProcess {
  private constructor(
    readonly url: string,
    private readonly supervisor: Supervisor,
    private readonly child: ManagedProcess,
  ) {}

  static async start({ databaseUrl, applications, env = {} }: ApiProcessOptions): Promise<ApiProcess> {
    const supervisor = await Supervisor.open({ dataFolder: mkdtempSync(join(tmpdir(), 'api-process-')) });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = await startApp(supervisor, {
      app: 'api',
      name: 'api',
      readyUrl: `${url}/healthz`,
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: url,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        TEMPORAL_TASK_QUEUE: 'nobody-works-here',
        CODEC_KEYS: `k:${randomBytes(32).toString('base64')}`,
        PROVIDER_APPLICATIONS: JSON.stringify(applications),
        API_KEYS: JSON.stringify([
          { id: 'k', sha256: '0'.repeat(64), environment: 'sandbox', application: 'shop' },
        ]),
        ...env,
      },
    });
    return new ApiProcess(url, supervisor, child);
  }

  /** Undefined once it has ended. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** SIGKILL: nothing that it was about to do is done any more. */
  async kill(): Promise<void> {
    await this.child.kill();
  }

  /** Memory that it holds, in bytes. */
  residentBytes(): number {
    if (this.pid === undefined) throw new Error(`the API has ended:\n${this.child.logTail()}`);
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' })) * 1024;
  }

  /** All that it has written. */
  log(): string {
    return readFileSync(join(this.supervisor.dataFolder, 'logs/api.log'), 'utf8');
  }

  async close(): Promise<void> {
    await this.supervisor.stopAll();
    rmSync(this.supervisor.dataFolder, { recursive: true, force: true });
  }
}
