import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from './child-output.js';
import { Failure } from './failure.js';
import { projectRoot } from './project.js';

/** What can be used without the clone. The package.json of such a folder serves for packing alone. */
export const packages: readonly { readonly folder: string; readonly documents: readonly string[] }[] = [
  { folder: 'libs/payments-client', documents: [] },
  { folder: 'apps/sandbox', documents: ['docs/provider.md'] },
];

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
});

/** Compiles and packs every package into `target`. @returns the files that `npm install` takes. */
export function packPackages(target: string, signal: AbortSignal): Promise<string[]> {
  return Promise.all(
    packages.map(async ({ folder, documents }) => {
      const origin = join(projectRoot, folder);
      const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(origin, 'package.json'), 'utf8')));
      const stage = join(target, folder);
      rmSync(stage, { recursive: true, force: true });
      mkdirSync(stage, { recursive: true });
      for (const file of ['package.json', 'README.md']) cpSync(join(origin, file), join(stage, file));
      for (const file of ['LICENSE', ...documents]) cpSync(join(projectRoot, file), join(stage, file));
      await compile(origin, join(stage, 'dist'), signal);
      for (const file of Object.values(manifest.bin)) chmodSync(join(stage, file), 0o755);
      await run('npm', ['pack', '--ignore-scripts', '--pack-destination', target], stage, signal);
      // As npm names it.
      const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
      return join(target, file);
    }),
  );
}

function compile(origin: string, output: string, signal: AbortSignal): Promise<void> {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const settings = ['-p', join(origin, 'tsconfig.package.json'), '--outDir', output];
  return run(process.execPath, [compiler, ...settings], projectRoot, signal);
}

async function run(command: string, args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  const { exitCode, output } = await runToEnd({ command, args, cwd, isShown: false }, signal);
  if (exitCode !== 0) throw new Failure(`${command} ${args[0] ?? ''} ended with ${exitCode}:\n${output}`);
}
