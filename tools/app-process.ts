import { join } from 'node:path';
import type { Supervisor } from './child-processes.js';
import type { ManagedProcess } from './managed-process.js';
import { projectRoot } from './project.js';

/** An app as a process: `dist/apps/<app>/src/main.js`, of this clone or of a package, on this very Node. */
export function startApp(
  supervisor: Supervisor,
  part: { app: string; name: string; readyUrl: string; env: Readonly<Record<string, string>> },
): Promise<ManagedProcess> {
  return supervisor.start({
    name: part.name,
    command: process.execPath,
    args: ['--enable-source-maps', join(projectRoot, 'dist/apps', part.app, 'src/main.js')],
    workingFolder: projectRoot,
    env: part.env,
    isReady: async () => (await fetch(part.readyUrl, { signal: AbortSignal.timeout(20_000) })).ok,
  });
}
