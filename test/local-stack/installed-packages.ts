import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runToEnd } from '#tools/child-output.js';
import { packPackages } from '#tools/packages.js';
import { freePort } from '#tools/ports.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { projectRoot } from '#tools/project.js';

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** What its bin printed. */
export interface StartedSandbox {
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A folder with nothing but the packed packages, installed as npm does it, without a registry: their files come from
 * the tarballs; what they say they depend on, and nothing else, from the clone's own installation.
 */
export class InstalledPackages {
  readonly folder = mkdtempSync(join(tmpdir(), 'installed-packages-'));
  #bin: { readonly child: ChildProcess; readonly dataFolder: string } | undefined;

  static async install(): Promise<InstalledPackages> {
    const installed = new InstalledPackages();
    // PostgreSQL does not run as root, and the user that it runs as must reach its data.
    chmodSync(installed.folder, 0o755);
    const packed = join(installed.folder, 'packed');
    for (const tarball of await packPackages(packed, new AbortController().signal))
      await installed.#install(tarball);
    installed.#link('@types/node', join(projectRoot, 'node_modules/@types/node'));
    return installed;
  }

  /** Runs the module by its path in this folder. @returns what it wrote. */
  run(module: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    return run(process.execPath, [module], this.folder, env);
  }

  /** Checks modules of this folder as a strict project of their own would. */
  async checkTypes(modules: readonly string[]): Promise<void> {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      strict: true,
      // As generated from sources that are checked; those of others are not ours to check.
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: modules }));
    await run(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc')], this.folder);
  }

  /** By its bin, with nothing set but a free port. */
  async startSandbox(): Promise<StartedSandbox> {
    const port = await freePort();
    const child = spawn(join(this.folder, 'node_modules/.bin/payments-sandbox'), {
      cwd: this.folder,
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#bin = { child, dataFolder: join(this.folder, '.data', `sandbox-${port}`) };
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      if (text.includes('manual')) break;
    }
    const [, clientId = '', clientSecret = '', origin = ''] =
      /curl -u ([^:]+):(\S+) -d grant_type=client_credentials (\S+)\/v1\/oauth2\/token/.exec(text) ?? [];
    if (origin === '') throw new Error(`The bin ended after: ${text}`);
    return { origin, clientId, clientSecret };
  }

  async remove(): Promise<void> {
    if (this.#bin) {
      const { child, dataFolder } = this.#bin;
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGINT');
      await ended;
      deleteDataFolder(dataFolder);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #install(tarball: string): Promise<void> {
    const unpacked = `${tarball}.unpacked`;
    mkdirSync(unpacked);
    await run('tar', ['-xzf', tarball, '-C', unpacked], this.folder);
    const manifest = readFileSync(join(unpacked, 'package/package.json'), 'utf8');
    const { name, dependencies, bin = {} } = JSON.parse(manifest) as Manifest;
    const target = this.#place(name);
    renameSync(join(unpacked, 'package'), target);
    for (const [command, file] of Object.entries(bin)) this.#link(`.bin/${command}`, join(target, file));
    for (const needed of Object.keys(dependencies))
      this.#link(needed, join(projectRoot, 'node_modules', needed));
  }

  #link(name: string, target: string): void {
    rmSync(this.#place(name), { force: true });
    symlinkSync(target, this.#place(name));
  }

  #place(name: string): string {
    const place = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }
}

async function run(
  command: string,
  args: string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exitCode, output } = await runToEnd({ command, args, cwd, env, isShown: false }, undefined);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exitCode}:\n${output}`);
  return output;
}
