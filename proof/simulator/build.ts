import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { replaceCode } from '../breakages/replace-code.js';

/** A change of a source before it is built: how known defects are put back. */
export interface SourcePatch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The declaration that holds it, if the file holds it several times. */
  readonly in?: string;
}

/** @returns undefined if the patch does not fit. */
export function patched(code: string, { find, replace, in: place }: SourcePatch): string | undefined {
  return replaceCode(code, { from: find, to: replace, in: place });
}

let built = 0;
const root = process.cwd();
const simulator = join(root, 'proof/simulator');

/** Modules that the simulator replaces with its own. */
const replaced: Readonly<Record<string, string>> = {
  '@temporalio/workflow': 'temporal/workflow.ts',
  '@temporalio/common': 'temporal/workflow.ts',
  'node:crypto': 'temporal/replacements.ts',
  'node:timers/promises': 'temporal/replacements.ts',
  'libs/database/src/transitions/write-transition.ts': 'rows/transitions.ts',
  'libs/database/src/commands/attempts.ts': 'rows/attempts.ts',
  'libs/database/src/commands/restores.ts': 'rows/restores.ts',
  'libs/database/src/subjects/payer-cancellation.ts': 'rows/payer-cancellation.ts',
  'libs/database/src/commands/command-rows.ts': 'rows/commands.ts',
  'libs/database/src/calls/api-calls.ts': 'rows/api-calls.ts',
  'libs/database/src/subjects/payouts.ts': 'rows/payouts.ts',
  'libs/database/src/subjects/payout-items.ts': 'rows/payouts.ts',
  'libs/database/src/subjects/sealed-letters.ts': 'rows/payouts.ts',
  'libs/payload-codec/src/sealed-text.ts': 'rows/sealed-text.ts',
  'libs/database/src/subjects/subscription-payments.ts': 'rows/subscription-payments.ts',
  'libs/database/src/transitions/timeline.ts': 'rows/timeline.ts',
  'libs/database/src/subjects/accept-refund.ts': 'rows/refunds.ts',
  'libs/database/src/subjects/refunds.ts': 'rows/refunds.ts',
};

/** Builds the code under test together with the simulator. @returns the address of the module. */
export async function buildSimulator(
  name: string,
  patches: readonly SourcePatch[] = [],
  entry = 'proof/simulator/stage/entry.ts',
): Promise<string> {
  const folder = join(root, '.data/simulator');
  await mkdir(folder, { recursive: true });
  const applied = new Set<SourcePatch>();
  const bundle = await rolldown({
    input: join(root, entry),
    platform: 'node',
    plugins: [replacing(), patching(patches, applied), virtualTime()],
    external: [/^node:(?!crypto$|timers\/promises$)/, 'undici', 'zod', 'kysely', 'pg'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // An entry point exports everything of its folder; the replacement of a module exports only what the steps use.
    shimMissingExports: true,
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
  });
  // Each build has its own address, because an imported module is cached.
  const file = join(folder, `${name}-${process.pid}-${(built += 1)}.mjs`);
  await bundle.write({ file, format: 'esm', sourcemap: true });
  await bundle.close();
  const missed = patches.find((patch) => !applied.has(patch));
  if (missed) throw new Error(`a patch of ${missed.file} finds nothing to replace: ${missed.find}`);
  return pathToFileURL(file).href;
}

function replacing(): Plugin {
  return {
    name: 'replacing',
    async resolveId(source, importer) {
      if (!importer || importer.startsWith(simulator)) return null;
      const wanted = /^[.#]/.test(source) ? (await this.resolve(source, importer))?.id : source;
      const own = replaced[wanted?.replace(`${root}/`, '') ?? ''];
      return own === undefined ? null : join(simulator, own);
    },
  };
}

function patching(patches: readonly SourcePatch[], applied: Set<SourcePatch>): Plugin {
  return {
    name: 'patching',
    transform(code, id) {
      const own = patches.filter(({ file }) => id.endsWith(file));
      let changed = code;
      for (const patch of own) {
        const next = patched(changed, patch);
        if (next === undefined) continue;
        changed = next;
        applied.add(patch);
      }
      return own.length === 0 ? null : changed;
    },
  };
}

/** The code under test uses the world's clock. A workflow's clock does not move within a task; an activity's does. */
function virtualTime(): Plugin {
  const module = JSON.stringify(join(simulator, 'temporal/replacements.ts'));
  return {
    name: 'virtual-time',
    transform(code, id) {
      if (id.startsWith(simulator) || id.includes('node_modules')) return null;
      const isWorkflow = id.endsWith('.workflow.ts') || id.includes('/libs/workflows/src/run/');
      const now = isWorkflow ? 'workflowNow' : 'activityNow';
      const timed = code
        .replaceAll(/\b(?:Date|performance)\.now\(\)/g, `${now}()`)
        .replaceAll('new Date()', `new Date(${now}())`)
        .replaceAll('AbortSignal.timeout(', 'timeoutSignal(');
      if (timed === code) return null;
      const names = [now, 'timeoutSignal'].filter((name) => timed.includes(`${name}(`));
      return `import { ${names.join(', ')} } from ${module};\n${timed}`;
    },
  };
}
