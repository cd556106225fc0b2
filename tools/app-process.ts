import { join } from 'node:path';
import { runToEnd } from './child-output.js';
import type { Supervisor } from './supervisor.js';
import { Failure } from './failure.js';
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

/** The step before the sandbox's start. As a process, because the sandbox's package has no names for its insides. */
export async function migrateSandboxDatabase(databaseUrl: string): Promise<void> {
  const args = [join(projectRoot, 'dist/apps/sandbox/src/migrate.js')];
  const program = { command: process.execPath, args, env: { DATABASE_URL: databaseUrl }, isShown: false };
  const { exitCode, output } = await runToEnd(program, undefined);
  if (exitCode !== 0) throw new Failure(`The sandbox's database could not be migrated: ${output.trim()}`);
}
