import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '../child-output.js';
import { Failure } from '../failure.js';

/** What runs containers on this machine. */
export interface ContainerEngine {
  readonly name: 'docker' | 'podman';
  /** Runs a command of it. @throws Failure with what it said. @returns its output. */
  run(...args: readonly string[]): Promise<string>;
  /** Runs a command of Compose. @throws Failure with what it said. @returns its output. */
  compose(...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Variables of the compose file. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Docker where its daemon answers, else Podman behind a socket of ours, which Compose takes for Docker's.
 * @throws Failure saying what to install.
 */
export async function openContainerEngine(options: EngineOptions): Promise<ContainerEngine> {
  if (succeeds('docker', 'info') && succeeds('docker', 'compose', 'version')) {
    return engine('docker', ['docker', 'compose'], options, () => Promise.resolve());
  }
  const compose = [['docker', 'compose'], ['docker-compose']].find(([program = '', ...args]) =>
    succeeds(program, ...args, 'version'),
  );
  if (!compose || !succeeds('podman', '--version')) {
    throw new Failure(
      "Containers need Docker with Compose, or Podman with Docker's Compose. On Debian: apt-get install " +
        'podman runc netavark aardvark-dns iptables debootstrap docker-compose',
    );
  }
  return await openPodman(compose, options);
}

async function openPodman(compose: readonly string[], options: EngineOptions): Promise<ContainerEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'podman-'));
  const socket = `unix://${join(folder, 'podman.sock')}`;
  writeFileSync(join(folder, 'containers.conf'), podmanSettings());
  const env = { ...options.env, CONTAINERS_CONF: join(folder, 'containers.conf') };
  const service = spawn('podman', ['system', 'service', '--time=0', socket], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const checks = new AbortController();
  const podman = engine('podman', compose, { ...options, env: { ...env, DOCKER_HOST: socket } }, async () => {
    checks.abort();
    service.kill();
    await sleep(100);
    rmSync(folder, { recursive: true, force: true });
  });
  // Podman leaves the time-table of health checks to systemd.
  if (!succeeds('systemctl', 'is-system-running')) void checkHealth(podman, checks.signal);
  return podman;
}

/** Podman's own limits may be higher than those of this machine's root; then no container would start. */
function podmanSettings(): string {
  const runtime = succeeds('runc', '--version') ? 'runtime = "runc"\n' : '';
  const limits = 'default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]';
  return `[containers]\n${limits}\n[engine]\n${runtime}cgroup_manager = "cgroupfs"\nevents_logger = "file"\n`;
}

async function checkHealth(podman: ContainerEngine, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waiting = [
      '--filter',
      'health=starting',
      '--filter',
      'health=unhealthy',
      '--filter',
      'status=running',
    ];
    const names = await podman.run('ps', ...waiting, '--format', '{{.Names}}').catch(() => '');
    for (const name of names.split('\n').filter((line) => line !== ''))
      await podman.run('healthcheck', 'run', name).catch(() => undefined);
    await sleep(1_000);
  }
}

function engine(
  name: ContainerEngine['name'],
  composeProgram: readonly string[],
  { env, signal }: EngineOptions,
  close: () => Promise<void>,
): ContainerEngine {
  const runProgram = async ([command = '', ...args]: readonly string[]): Promise<string> => {
    const { exitCode, output } = await runToEnd({ command, args, env, isShown: false }, signal);
    if (exitCode !== 0)
      throw new Failure(`${command} ${args.join(' ')} ended with ${exitCode}:\n${tail(output)}`);
    return output;
  };
  return {
    name,
    run: (...args) => runProgram([name, ...args]),
    compose: (...args) => runProgram([...composeProgram, ...args]),
    close,
  };
}

function tail(output: string): string {
  return output.trim().split('\n').slice(-40).join('\n');
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
