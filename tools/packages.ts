import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from './child-output.js';
import { documentTypes } from './document-types.js';
import { Failure } from './failure.js';
import { projectRoot } from './project.js';

interface Package {
  readonly folder: string;
  readonly documents: readonly string[];
  /** It imports the types of the API's document, `./document.js`. */
  readonly needsDocumentTypes?: boolean;
}

/** Where the types are for the compiler; see libs/engine-client/tsconfig.package.json. */
const generated = 'dist/engine-client/document.d.ts';

const engineClient: Package = { folder: 'libs/engine-client', documents: [], needsDocumentTypes: true };

/** What can be used without the clone. The package.json of such a folder serves for packing alone. */
export const packages: readonly Package[] = [
  { folder: 'libs/payments-client', documents: [] },
  { folder: 'apps/sandbox', documents: ['docs/provider.md'] },
  engineClient,
];

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
});

/** Compiles and packs every package into `target`. @returns the files that `npm install` takes. */
export function packPackages(target: string, signal: AbortSignal): Promise<string[]> {
  return Promise.all(
    packages.map(async (one) => {
      const stage = join(target, one.folder);
      const manifest = await stagePackage(one, stage, signal);
      await run('npm', ['pack', '--ignore-scripts', '--pack-destination', target], stage, signal);
      // As npm names it.
      const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
      return join(target, file);
    }),
  );
}

/** Puts the client of the engine into a folder of its own under `node_modules`, as its installation would. */
export async function installEngineClient(nodeModules: string, signal: AbortSignal): Promise<void> {
  await stagePackage(engineClient, join(nodeModules, '@payment-lifecycle-engine/engine-client'), signal);
}

type Manifest = z.infer<typeof manifestSchema>;

/** Makes `stage` what the package contains. */
async function stagePackage(
  { folder, documents, needsDocumentTypes = false }: Package,
  stage: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const origin = join(projectRoot, folder);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(origin, 'package.json'), 'utf8')));
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, 'dist'), { recursive: true });
  for (const file of ['package.json', 'README.md']) cpSync(join(origin, file), join(stage, file));
  for (const file of ['LICENSE', ...documents]) cpSync(join(projectRoot, file), join(stage, file));
  if (needsDocumentTypes) await generateDocumentTypes(join(stage, 'dist'));
  await compile(origin, join(stage, 'dist'), signal);
  for (const file of Object.values(manifest.bin)) chmodSync(join(stage, file), 0o755);
  return manifest;
}

/** For the compiler and for the package. */
async function generateDocumentTypes(output: string): Promise<void> {
  const declarations = join(output, 'document.d.ts');
  writeFileSync(declarations, await documentTypes());
  const place = join(projectRoot, generated);
  mkdirSync(dirname(place), { recursive: true });
  // At once: another command may be compiling.
  const draft = `${place}.${randomUUID()}`;
  cpSync(declarations, draft);
  renameSync(draft, place);
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
