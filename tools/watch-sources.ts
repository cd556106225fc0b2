import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from './project.js';

/**
 * Compiles the sources whenever they change, until the signal is aborted; what the compiler says is shown.
 * @param onCompiled is called after each compilation without errors but the first, never twice at once.
 */
export function watchSources(signal: AbortSignal, onCompiled: () => Promise<void>): void {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  let compilations = 0;
  let acting = Promise.resolve();
  lines.on('line', (line) => {
    if (line.trim() !== '') process.stdout.write(`${line}\n`);
    if (!line.includes('Found 0 errors')) return;
    compilations += 1;
    if (compilations > 1) acting = acting.then(onCompiled).catch(tell);
  });
  signal.addEventListener('abort', () => child.kill(), { once: true });
}

function tell(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
