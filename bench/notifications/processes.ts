import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Processes of the bench's own, beside a stack. Each ends with its parent. */

export async function startReceiver(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const receiver = fork(scriptOf('notification-receiver'));
  const [port] = (await once(receiver, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/notifications`, process: receiver };
}

export interface BareOutbox {
  readonly pid: number | undefined;
  /** Sends all that is in it. */
  sendAll(): Promise<void>;
  close(): void;
}

export interface Loops {
  readonly loops: number;
  /** That a loop locks and sends at a time. */
  readonly rows: number;
}

/** @param databaseUrl of the database with its table. */
export async function startBareOutbox(
  databaseUrl: string,
  { url, secret }: { readonly url: string; readonly secret: string },
  { loops, rows }: Loops,
): Promise<BareOutbox> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const outbox = fork(scriptOf('bare-outbox'), [url, secret, String(loops), String(rows)], { env });
  await once(outbox, 'message');
  return {
    pid: outbox.pid,
    async sendAll() {
      const sent = once(outbox, 'message');
      outbox.send('send');
      await sent;
    },
    close: () => outbox.disconnect(),
  };
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../${name}.js`, import.meta.url));
}
