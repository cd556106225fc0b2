import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from './failure.js';
import { runs } from './program-cache.js';

export interface GoBuild {
  /** What is built, within a sentence: "the Temporal server". */
  readonly what: string;
  /** How long it takes, within a sentence: "about three minutes". */
  readonly duration: string;
  /** Packages of one module, each with its version: `example.org/module/cmd/program@v1.2.3`. */
  readonly packages: readonly string[];
  /** Where the programs go; each is named after the last part of its package. */
  readonly folder: string;
  /** The sentence that says what it needs, or how to do without it. */
  readonly advice: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * A module that asks for a newer Go gets it, from the same proxy and checked as modules are. Distributions switch that
 * off; a variable of the user's goes before.
 */
const fetchesNewerGo = 'auto';

export function isGoInstalled(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** Builds programs from the Go module proxy. @throws Failure naming the compiler's last words. */
export async function buildWithGo(build: GoBuild): Promise<void> {
  const { what, duration, packages, folder, advice, report, signal } = build;
  report(`building ${what} with Go, once: ${duration} …`);
  const child = spawn('go', ['install', '-v', ...packages], {
    cwd: folder,
    env: {
      GOTOOLCHAIN: fetchesNewerGo,
      ...process.env,
      GOBIN: folder,
      GOTMPDIR: folder,
      GOFLAGS: '-mod=mod',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  child.on('error', () => {});
  const stop = (): void => interruptGroup(child.pid);
  signal?.addEventListener('abort', stop);
  const lastLine = await reportBuild(child.stderr, report);
  signal?.removeEventListener('abort', stop);
  if (signal?.aborted) throw new Failure(`Stopped while ${what} was being built.`);
  if (!packages.map(programOf).every((name) => runs(join(folder, name))))
    throw new Failure(`Go could not build ${what} (${lastLine}). ${advice}`);
}

/** As Ctrl-C in a terminal does: Go alone would leave its compilers behind. */
function interruptGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGINT');
  } catch {
    // It has ended.
  }
}

/** `example.org/module/cmd/program@v1.2.3` → `program` */
function programOf(target: string): string {
  return /([^/]+)@[^@/]+$/.exec(target)?.[1] ?? target;
}

/** `go install -v` names each package as it is built: a sign of life every ten seconds, without 1,500 lines. */
async function reportBuild(output: NodeJS.ReadableStream, report: (line: string) => void): Promise<string> {
  let packages = 0;
  let lastLine = '';
  const startedAt = Date.now();
  const ticker = setInterval(() => {
    report(`  ${packages} packages after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 10_000);
  try {
    for await (const line of createInterface({ input: output })) {
      packages += 1;
      lastLine = line;
    }
  } finally {
    clearInterval(ticker);
  }
  return lastLine;
}
