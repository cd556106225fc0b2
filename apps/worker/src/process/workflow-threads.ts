import { createRequire } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';

// The object that the SDK's code, which is CommonJS, has too.
const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const preload = new URL(`./workflow-thread.${extension}`, import.meta.url).href;

let areLight = false;

/**
 * From now on the SDK's workflow threads do without what costs a quarter of a worker's processor time: a watchdog for
 * each call into workflow code, and stack traces of all promises (docs/decisions/0026).
 */
export function lightenWorkflowThreads(): void {
  if (areLight) return;
  areLight = true;
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(
        file,
        isWorkflowThread(file) ? { ...options, execArgv: [...sourceMaps, '--import', preload] } : options,
      );
    }
  };
}

const sourceMaps = process.execArgv.filter((argument) => argument === '--enable-source-maps');

function isWorkflowThread(file: string | URL): boolean {
  return /workflow-worker-thread(?:\.js)?$/.test(String(file));
}
