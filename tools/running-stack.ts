import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readDevelopmentConfig, type DevelopmentConfig } from './development-config.js';

const runningStackSchema = z.object({
  api: z.string(),
  sandbox: z.string(),
  temporalAddress: z.string(),
  temporalUi: z.string().optional(),
  engineDatabase: z.string(),
});

/** Where a stack that runs can be addressed from other processes. */
export type RunningStack = z.infer<typeof runningStackSchema>;

export function publishRunningStack(
  dataFolder: string,
  { api, sandbox, temporalAddress, temporalUi, engineDatabase }: RunningStack,
): void {
  const file = runningFile(dataFolder);
  const addresses = { api, sandbox, temporalAddress, temporalUi, engineDatabase };
  // An address of a database has a password in it.
  writeFileSync(`${file}.partial`, JSON.stringify(addresses, null, 2), { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

export function withdrawRunningStack(dataFolder: string): void {
  rmSync(runningFile(dataFolder), { force: true });
}

/** The stack that `npm start` has brought up on this folder, if it answers; with the secrets to use it. */
export async function findRunningStack(
  dataFolder: string,
): Promise<{ stack: RunningStack; config: DevelopmentConfig } | undefined> {
  const stack = readRunningStack(dataFolder);
  if (!stack || !(await isHealthy(stack.api)) || !(await isHealthy(stack.sandbox))) return undefined;
  return { stack, config: readDevelopmentConfig(dataFolder) };
}

/** A stack that was killed leaves its file behind: the addresses alone prove nothing. */
async function isHealthy(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}

function readRunningStack(dataFolder: string): RunningStack | undefined {
  try {
    return runningStackSchema.parse(JSON.parse(readFileSync(runningFile(dataFolder), 'utf8')));
  } catch {
    return undefined;
  }
}

function runningFile(dataFolder: string): string {
  return join(dataFolder, 'running.json');
}
