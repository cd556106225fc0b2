import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './project.js';

/** Bundles libs/workflows/src/index.ts for the workers. @returns the path of the bundle. */
export async function bundleWorkflows(
  target = join(projectRoot, 'dist/workflow-bundle.js'),
): Promise<string> {
  const workflowsPath = join(projectRoot, 'libs/workflows/src/index.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Evaluated once for a worker, not for each of its runs, and frozen: no module holds state.
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [join(projectRoot, 'libs/workflows/src/interceptors.ts')],
    // Failure messages are encoded inside the workflow already; the workers' data converter names the same file.
    failureConverterPath: join(projectRoot, 'libs/payload-codec/src/failure-converter.ts'),
    logger: new DefaultLogger('WARN'),
  });
  mkdirSync(dirname(target), { recursive: true });
  // Renamed into place whole: a worker may be reading it.
  writeFileSync(`${target}.${process.pid}`, code);
  renameSync(`${target}.${process.pid}`, target);
  return target;
}

if (import.meta.main) await bundleWorkflows();
