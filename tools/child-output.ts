import { spawn } from 'node:child_process';
import { projectRoot } from './project.js';

export interface Outcome {
  /** Null when a signal ended the program. */
  readonly exitCode: number | null;
  /** stdout and stderr as they came; empty where they went to the terminal. */
  readonly output: string;
}

/** Runs a program to its end, its output collected or shown as it comes. */
export function runToEnd(
  program: {
    readonly command: string;
    readonly args: readonly string[];
    readonly isShown: boolean;
    readonly env?: Readonly<Record<string, string>>;
    /** Default: the clone's folder. */
    readonly cwd?: string;
  },
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const stdio = program.isShown ? 'inherit' : 'pipe';
    const child = spawn(program.command, program.args, {
      cwd: program.cwd ?? projectRoot,
      env: { ...process.env, ...program.env },
      stdio: ['ignore', stdio, stdio],
      ...(signal && { signal }),
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
