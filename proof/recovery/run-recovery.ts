import { join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from '#tools/child-output.js';
import { Failure } from '#tools/failure.js';
import { projectRoot } from '#tools/project.js';
import { workerEnvironment } from '#tools/stack-environment.js';
import type { Stack } from '#tools/stack.js';

const summary = z.object({
  openRuns: z.int(),
  rebuilt: z.int(),
  failed: z.int(),
  events: z.int(),
  seconds: z.number(),
});

export type Recovery = z.output<typeof summary> & { readonly output: string };

/** So often an operator calls it, until nothing has failed. */
const mostCalls = 4;

/** `npm run recover` as an operator calls it, with a worker's variables. @throws Failure with its output. */
export async function runRecovery(
  { addresses, config }: Stack,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
  options: readonly string[] = [],
): Promise<Recovery> {
  const program = {
    command: process.execPath,
    args: ['--enable-source-maps', join(projectRoot, 'dist/tools/recover.js'), ...options],
    isShown: false,
    env: { ...workerEnvironment(addresses, config, 0), ...variables },
  };
  let seconds = 0;
  for (let call = 1, rebuilt = 0; ; call += 1) {
    const { exitCode, output } = await runToEnd(program, signal);
    const found = summary.safeParse(summaryIn(output));
    if (!found.success || (exitCode !== 0 && call === mostCalls))
      throw new Failure(`The recovery ended with ${exitCode}:\n${output}`);
    seconds += found.data.seconds;
    rebuilt += found.data.rebuilt;
    if (exitCode === 0) return { ...found.data, rebuilt, seconds, output };
  }
}

/** A sentence may follow it. */
function summaryIn(output: string): unknown {
  const line = output.split('\n').findLast((one) => one.startsWith('{"openRuns"'));
  return line === undefined ? undefined : JSON.parse(line);
}
