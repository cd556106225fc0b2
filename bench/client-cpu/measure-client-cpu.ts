import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#tools/project.js';
import type { ClientCpu } from './callers.js';
import type { Plan } from '../harness/plan.js';

/** CPU of one call by each client, measured in a process of its own. */
export async function measureClientCpu(
  { clientRounds, clientSequences }: Plan,
  signal: AbortSignal,
): Promise<ClientCpu> {
  const script = join(projectRoot, 'dist/bench/client-cpu.js');
  const args = ['--expose-gc', '--no-deprecation', script, String(clientRounds), String(clientSequences)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
  return JSON.parse(stdout) as ClientCpu;
}
