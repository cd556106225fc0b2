import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox-fixture.js';

/** The payments service as a process of its own, which can be killed and started again on the same port. */
export class SandboxProcess {
  #child: ChildProcess | undefined;
  #errors = '';

  constructor(
    private readonly main: string,
    private readonly databaseUrl: string,
    private readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--enable-source-maps', this.main], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: this.databaseUrl,
        PORT: String(this.port),
        SANDBOX_CLIENT_ID: CLIENT_ID,
        SANDBOX_CLIENT_SECRET: CLIENT_SECRET,
        LOG_LEVEL: 'error',
      },
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4_000);
    });
    this.#child = child;
    while (!(await this.#isReady())) {
      if (!this.isRunning) throw new Error(`The payments service ended: ${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Ends it in the middle of whatever it does. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (this.#child === undefined || !this.isRunning) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }

  async #isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/healthz`);
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }
}
